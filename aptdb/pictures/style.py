"""How pictures look, in the light and in the dark."""

# The colours of words of a phrase: told apart by most who see few colours (Okabe & Ito 2008), black and yellow aside.
OF_WORDS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f00", "#8c6bb1")

INSIDE = ".aptdb-drawing"  # a picture may stand in a page whose own elements must not change
LIGHT = {
    ".ground": "fill:#ffffff",
    ".box": "fill:#ffffff;stroke:#9aa3ad;stroke-width:1",
    ".anchor": "stroke:#1a1a1a;stroke-width:2",
    ".own": "fill:#e6e8eb",
    ".empty": "stroke-dasharray:3 3",
    ".lexeme": "fill:#1a1a1a",
    ".faint": "fill:#49525c",
    ".bar": "fill:#b9d3ee",
    ".minus": "fill-opacity:0.15;stroke:#b0302a;stroke-dasharray:2 2",
    ".line": "fill:none;stroke:#9aa3ad;stroke-width:1.2",
    ".up": "stroke:#b0603a",
    ".down": "stroke:#3a7ab0",
    ".label": "fill:#33475b;font-style:italic",
}
DARK = {
    ".ground": "fill:#16191d",
    ".box": "fill:#1e2329;stroke:#6b7683",
    ".anchor": "stroke:#f2f2f2",
    ".own": "fill:#39414a",
    ".lexeme": "fill:#f2f2f2",
    ".faint": "fill:#bcc5ce",
    ".bar": "fill:#2f5275",
    ".up": "stroke:#e0936c",
    ".down": "stroke:#77b3e6",
    ".label": "fill:#c3d0dd",
}


def rules(font: str) -> str:
    """The style sheet of a picture."""
    own = [f"{INSIDE} .word{number}{{fill:{colour}}}" for number, colour in enumerate(OF_WORDS, 1)]
    light = [f"{INSIDE} {name}{{{style}}}" for name, style in LIGHT.items()]
    dark = "".join(f"{INSIDE} {name}{{{style}}}" for name, style in DARK.items())
    all_texts = f"{INSIDE} text{{font-family:{font}}}"
    return f"{all_texts}{''.join([*light, *own])}@media(prefers-color-scheme:dark){{{dark}}}"
