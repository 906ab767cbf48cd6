"""Pictures: packed trees as the paper draws them, in SVG and as text."""
