#!/usr/bin/env python3
"""
Makes a notebook of a lab's handout: make_notebook.py LAB_FOLDER OUTPUT.ipynb

The handout's text as it is, its pictures inside, and after "The task" the skeleton in a cell that grades itself.
The same handout gives the same bytes.
"""
import base64
import json
import re
import sys
from pathlib import Path

HEAD = """This notebook is the handout of one lab. It needs the kit: in the kit's folder run
`make setup NOTEBOOK=1 && make notebook`, install `build/notebook/*.whl` with pip, and open the notebook there (or set
`FENCEPOST_KIT` to that folder)."""
BELOW = """The cell is kept as `{lab}_kernel.cu` beside the notebook. `%lab {lab}` grades it again, `%lab {lab} part=A` tries one
part's cases only, and when you are stuck there are hints:"""


def cell(kind, text, number, **more):
    source = text.strip("\n").splitlines(keepends=True)
    made = {"cell_type": kind, "id": f"cell-{number:02}", "metadata": {}, "source": source, **more}
    if kind == "code":
        made.update(execution_count=None, outputs=[])
    return made


def sections(handout):
    """The handout in pieces that begin with a heading of the second rank."""
    pieces, inside = [""], False
    for line in handout.splitlines(keepends=True):
        inside ^= line.startswith("```")
        if line.startswith("## ") and not inside:
            pieces.append("")
        pieces[-1] += line
    return pieces


def for_readers(piece, folder):
    """A piece's text without the tests' comments, and its pictures as attachments."""
    pictures = {}

    def attach(match):
        path = folder / match.group(2)
        name = path.name
        pictures[name] = {"image/svg+xml": base64.b64encode(path.read_bytes()).decode()}
        return f"![{match.group(1)}](attachment:{name})"

    text = re.sub(r"^ *<!--.*?-->\n", "", piece, flags=re.M)
    text = re.sub(r"!\[([^]]*)\]\(([^):]+\.svg)\)", attach, text)
    return text, ({"attachments": pictures} if pictures else {})


def notebook(folder):
    lab = folder.name.split("_")[0]
    cells = []

    def add(kind, text, **more):
        cells.append(cell(kind, text, len(cells), **more))

    for piece in sections((folder / "README.md").read_text()):
        text, more = for_readers(piece, folder)
        add("markdown", text, **more)
        if len(cells) == 1:
            add("markdown", HEAD)
            add("code", "%load_ext fencepost")
        if piece.startswith("## The task"):
            add("code", f"%%lab {lab}\n" + (folder / "kernel.cu").read_text())
            add("markdown", BELOW.format(lab=lab))
            add("code", f"%hint {lab}")
    return {"cells": cells, "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}}


if __name__ == "__main__":
    made = notebook(Path(sys.argv[1]))
    if not any(c["cell_type"] == "code" and c["source"][0].startswith("%%lab") for c in made["cells"]):
        sys.exit(f"{sys.argv[1]}/README.md has no \"## The task\" to put the skeleton after")
    Path(sys.argv[2]).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
