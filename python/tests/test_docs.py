"""The examples of docs/python.md, and the docstrings."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def blocks(page=PAGE):
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match.group(1)


def test_every_block_of_the_page_runs():
    pytest.importorskip("numpy")
    pytest.importorskip("cpmpy")
    names = {}
    count = 0
    for line, block in blocks():
        # The positions in error messages are those of the page.
        exec(compile("\n" * (line - 1) + block, str(PAGE), "exec"), names)
        count += 1
    assert count > 10


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_the_examples_of_the_other_pages_run(page, capsys):
    (block,) = [block for _, block in blocks(ROOT / page)]
    exec(block, {})
    assert "optimal" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gordian", "gordian.encode", "gordian.puzzle", "gordian.cpmpy"])
def test_docstrings(name):
    if name == "gordian.cpmpy":
        pytest.importorskip("cpmpy")
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_the_page_names_every_public_function():
    import gordian

    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in gordian.__all__ if f"{name}" not in text and name not in ("Backbone", "Conflict", "Expr", "Solution", "GordianError")] == []
