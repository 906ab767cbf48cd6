"""Small models of spaCy and UDPipe, trained on a dozen sentences."""

import warnings
from pathlib import Path

import pytest

Row = tuple[str, str, str, int, str]  # form, lemma, UPOS, head, relation


def rows() -> list[list[Row]]:
    """Sentences to train with."""
    return [
        [
            (article, article.lower(), "DET", 3, "det"),
            (adjective, adjective, "ADJ", 3, "amod"),
            (subject, subject, "NOUN", 4, "nsubj"),
            (verb, verb[:-1], "VERB", 0, "root"),
            (f"{thing}s", thing, "NOUN", 4, "obj"),
            (".", ".", "PUNCT", 4, "punct"),
        ]
        for article in ("The", "A")
        for adjective, verb in (("small", "sees"), ("old", "chases"))
        for subject, thing in (("dog", "cat"), ("cat", "dog"), ("bird", "dog"))
    ]


def write_spacy(folder: Path) -> Path:
    """Train a pipeline, and write it into a folder. The test skips where spaCy is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
        from spacy.training import Example

        pipeline = spacy.blank("en")
        pipeline.add_pipe("tagger")
        pipeline.add_pipe("parser", config={"min_action_freq": 1})
        examples = []
        for sentence in rows():
            forms, _, tags, heads, relations = zip(*sentence, strict=True)
            doc = pipeline.make_doc(f"{' '.join(forms[:-1])}.")
            marked = {
                "tags": tags,
                "deps": ["ROOT" if relation == "root" else relation for relation in relations],
                "heads": [head - 1 if head else at for at, head in enumerate(heads)],
            }
            examples.append(Example.from_dict(doc, marked))
        pipeline.initialize(lambda: examples)
        for _ in range(4):
            pipeline.update(examples)
        pipeline.add_pipe("attribute_ruler").add(patterns=[[{"LOWER": "dogs"}]], attrs={"LEMMA": "dog", "POS": "NOUN"})
        pipeline.to_disk(folder)
    return folder


def write_udpipe(file: Path, *, tokenizer: bool = True) -> Path:
    """Train a model, and write it into a file. The test skips where ufal.udpipe is not installed."""
    udpipe = pytest.importorskip("ufal.udpipe", reason="ufal.udpipe is not installed")
    blocks = [
        "\n".join(
            f"{number}\t{form}\t{lemma}\t{upos}\t_\t_\t{head}\t{relation}\t_\t{'SpaceAfter=No' if number == 5 else '_'}"
            for number, (form, lemma, upos, head, relation) in enumerate(sentence, 1)
        )
        for sentence in rows()
    ]
    reader, error = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError()
    reader.setText("".join(f"{block}\n\n" for block in blocks))
    sentences, sentence = udpipe.Sentences(), udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.push_back(sentence)
        sentence = udpipe.Sentence()
    how = (
        "epochs=1;batch_size=20;segment_size=10;dimension=24;tokenize_url=0;allow_spaces=0" if tokenizer else "none",
        "models=1;iterations=1",
        "iterations=1;hidden_layer=10;transition_system=projective;transition_oracle=dynamic",
    )
    model = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), *how, error)
    assert not error.occurred(), error.message
    file.write_bytes(model)
    return file
