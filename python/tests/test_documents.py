"""The Python code blocks of the READMEs and of the guide run, in order, each document in one session."""

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
            # Keeps the document's line numbers, for messages.
            block += line + "\n"
        elif line == "```python":
            block, note = "\n" * number, before
        before = line
    return found


# Minari warns about missing optional metadata.
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "python/README.md"])
def test_every_block_runs(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINARI_DATASETS_PATH", os.fspath(tmp_path / "datasets"))
    names = {}
    all_blocks = blocks(document)
    assert all_blocks, "there are blocks"
    for note, block in all_blocks:
        # A note before a block lists the packages that it needs; it is skipped if one is missing.
        needed = note.removeprefix("<!-- needs ").removesuffix(" -->").split(", ") if "<!-- needs " in note else []
        if any(importlib.util.find_spec(name) is None for name in needed):
            continue
        exec(compile(block, os.fspath(ROOT / document), "exec"), names)
    assert "True" in capsys.readouterr().out
