"""The blocks for Python of the README and of the guide are run, in order, each document in one go."""

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def blocks(document):
    found, block, before, note = [], None, "", ""
    for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
        if block is not None and line == "```":
            found.append((note, block))
            block = None
        elif block is not None:
            # With the lines that the document has, for messages.
            block += line + "\n"
        elif line == "```python":
            block, note = "\n" * number, before
        before = line
    return found


# Minari asks for all that could be said of a dataset.
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "python/README.md"])
def test_every_block_runs(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINARI_DATASETS_PATH", os.fspath(tmp_path / "datasets"))
    names = {}
    all_blocks = blocks(document)
    assert all_blocks, "there are blocks"
    for note, block in all_blocks:
        # What a block needs beside the package stands before it; it is left out where that is missing.
        needed = note.removeprefix("<!-- needs ").removesuffix(" -->").split(", ") if "<!-- needs " in note else []
        if any(importlib.util.find_spec(name) is None for name in needed):
            continue
        exec(compile(block, os.fspath(ROOT / document), "exec"), names)
    assert "True" in capsys.readouterr().out
