"""Puzzles: boards, solutions, explanations and generated boards."""

import json

import gordian
import pytest
from gordian import puzzle

BOARD = "nurikabe\n1 . 1\n. . .\n1 . 1\n"
ADDRESS = "https://puzz.link/p?nurikabe/6/6/g1n5h3o8g1j1k"
SUDOKU = "sudoku\n" + "\n".join([
    "5 3 . . 7 . . . .",
    "6 . . 1 9 5 . . .",
    ". 9 8 . . . . 6 .",
    "8 . . . 6 . . . 3",
    "4 . . 8 . 3 . . 1",
    "7 . . . 2 . . . 6",
    ". 6 . . . . 2 8 .",
    ". . . 4 1 9 . . 5",
    ". . . . 8 . . 7 9",
])


def test_a_board():
    board = puzzle.read(BOARD)
    assert board.type == "nurikabe" and "island" in board.rules and "nurikabe" in repr(board)
    solution = board.solve()
    assert solution.grid == [[1, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert solution["grid"] == solution.grid
    assert board.unique() and board.count() == 1
    assert board.check(solution) is None and board.check(solution.grid) is None
    assert list(board.solutions()) == [solution] and board.sample(2, seed=1) == [solution] * 2
    assert board.backbone()["grid"] == solution.grid
    assert "svg" in board.svg() and "svg" in solution._repr_svg_() and "1" in str(board) and str(solution)
    assert board.check('{"grid": [[1, 0, 1], [0, 0, 0], [1, 0, 1]]}') is None and board.check(str(solution)) is None
    wrong = [row[:] for row in solution.grid]
    wrong[0][0] = 0
    assert board.check(wrong)


def test_an_address():
    board = puzzle.read(ADDRESS)
    assert board.type == "nurikabe" and board.unique()
    assert puzzle.read(board.address).solve() == board.solve() == puzzle.read(board.text).solve()


def test_sudoku_as_array():
    np = pytest.importorskip("numpy")
    array = puzzle.read(SUDOKU).solve().array()
    assert array.shape == (9, 9)
    for part in [*array, *array.T, *(array[r : r + 3, c : c + 3].ravel() for r in (0, 3, 6) for c in (0, 3, 6))]:
        assert sorted(part) == list(range(1, 10))
    assert array[0, 0] == 5 and array.dtype == np.int64


def test_explanations_and_hints():
    board = puzzle.read(SUDOKU)
    explanation = board.explain()
    assert explanation.status == "complete" and len(explanation) == explanation.difficulty["steps"] > 4
    assert "svg" in explanation.svg() and "<html" in explanation.html() and str(explanation).startswith("step 1\n")
    hint = board.hint()
    assert len(hint) == 1 and hint.status == "limited"
    assert board.hint(["r1c3=9"]).status == "none"
    grid = board.solve().grid
    known = [f"r{r + 1}c{c + 1}={value}" for r, row in enumerate(grid) for c, value in enumerate(row)]
    # What remains are the values that cells do not have.
    assert len(board.explain(known)) == 1 and "not-" in str(board.explain(known))


def test_several_solutions_and_heat_maps():
    board = puzzle.read("nurikabe\n6 . .\n. . .\n. . .\n")
    total = board.count()
    solutions = list(board.solutions())
    assert not board.unique() and total == len(solutions) > 1
    counts = board.count_values()
    assert counts.total == total and "svg" in counts.svg()
    for r in range(3):
        for c in range(3):
            assert sum(counts.fields["grid"][r][c].values()) == total
            assert counts.fields["grid"][r][c].get(1, 0) == sum(solution.grid[r][c] == 1 for solution in solutions)
    assert all(
        value is None or all(solution.grid[r][c] == value for solution in solutions)
        for r, row in enumerate(board.backbone()["grid"])
        for c, value in enumerate(row)
    )


def test_a_board_without_solutions():
    board = puzzle.read("nurikabe\n1 1\n. .\n")
    assert board.solve() is None and not board.unique() and board.count() == 0


def test_boards_are_made_with_seeds():
    board = puzzle.make("nurikabe", size=(4, 5), seed=7)
    assert board.unique() and len(board.solve().grid) == 4 and len(board.solve().grid[0]) == 5
    assert puzzle.make("nurikabe", size=(4, 5), seed=7).text == board.text
    assert puzzle.make("nurikabe", size=(4, 5), seed=8).text != board.text


SHEET = """puzzle mosaic
data grid clue: 0..9
var s on cells
solution s shaded
address kinmosaic: number16 clue
rule "count" for c in clue: count(x in neighbours(c): s(x)) = clue(c)
"""


def test_rule_sheets_replace_each_other():
    """Each call uses its own sheet, in each format, although all have the name of a built-in puzzle type."""
    around = SHEET.replace("neighbours(c)", "around(c)")
    for text in (
        "mosaic\n2 2\n2 2\n",
        '{"puzzle": "mosaic", "clue": [[2, 2], [2, 2]]}',
        "https://puzz.link/p?kinmosaic/2/2/2222",
    ):
        assert puzzle.read(text, rules=SHEET).solve().grid == [[1, 1], [1, 1]]
        assert puzzle.read(text, rules=around).solve() is None
    with pytest.raises(gordian.BoardError, match="known in addresses"):
        puzzle.read("https://puzz.link/p?kinmosaic/2/2/2222")
    made = puzzle.make(rules=SHEET, size=(4, 4))
    assert made.type == "mosaic" and made.unique()
    with pytest.raises(gordian.BoardError, match="expected") as caught:
        puzzle.read("mosaic\n2\n", rules=SHEET.replace("neighbours", "neighbors"))
    assert (caught.value.line, caught.value.column) == (6, 40)
    with pytest.raises(ValueError, match="rule sheet"):
        puzzle.read("mosaic\n2\n", "mosaic", rules=SHEET)
    with pytest.raises(ValueError, match="neither"):
        puzzle.make()


def test_files(tmp_path):
    board = puzzle.read(BOARD, "nurikabe")
    path = tmp_path / "board.txt"
    path.write_text(board.text)
    assert puzzle.read(path).solve() == board.solve()


def test_errors_have_a_place():
    with pytest.raises(gordian.BoardError) as caught:
        puzzle.read("nurikabe\n1 . 1\n. $ .\n1 . 1\n")
    assert (caught.value.line, caught.value.column) == (3, 3)
    with pytest.raises(gordian.BoardError):
        puzzle.read("")
    with pytest.raises(ValueError, match="nurikabe"):
        puzzle.read(BOARD, "nurikaba")
    with pytest.raises(gordian.ModelError, match="generator"):
        puzzle.make("age")
    with pytest.raises(ValueError, match="objective"):
        puzzle.read(BOARD).solve(objective="fewest")
    with pytest.raises(gordian.BoardError):
        puzzle.read(BOARD).check("nonsense")
    with pytest.raises(gordian.LimitReached):
        puzzle.read(BOARD).count(time_limit=0)


def test_models_are_boards_too():
    board = puzzle.read("var 1..3: x :: output_var;\nvar 1..3: y :: output_var;\nconstraint int_lt(x, y);\nsolve maximize x;\n")
    assert board.type == "model" and board.solve().fields == {"x": 2, "y": 3} and board.count() == 3


def test_all_types_are_listed():
    assert {"nurikabe", "sudoku", "slitherlink"} <= set(puzzle.types())
    assert json.dumps(puzzle.types())
