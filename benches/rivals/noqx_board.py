"""Solves one board with noqx and clingo: `noqx_board.py NOQX_FOLDER BOARD solve|unique|backbone [SOLVER]`.

Reads the native text of nurikabe, rooks (Akari) and numberlink, builds the puzzle object that the noqx module expects, and
passes its program to clingo with the settings of noqx's own `ClingoSolver`. SOLVER is `numlin` or `numlin_bit`, for
numberlink. Prints one line of JSON: `status`, the solution or the backbone as a grid (a cell is `null` where solutions
differ), and processor seconds: `program` for generating the text, `ground`, `search`. The rest of the process is start-up.
"""

import json
import sys
import time

folder, board, question = sys.argv[1:4]
sys.path.insert(0, folder)
from clingo.control import Control  # noqa: E402
from noqx.manager import load_solver, modules  # noqa: E402
from noqx.puzzle import Color, Point, Puzzle  # noqa: E402

began = time.process_time()
lines = [line.split() for line in open(board) if line.strip() and not line.startswith("%")]
(kind, *options), rows = lines[0], lines[1:]
options = dict(option.split("=") for option in options)
solver = sys.argv[4] if len(sys.argv) > 4 else {"rooks": "akari", "numberlink": "numlin"}.get(kind, kind)
every, apart = options.get("cells") == "all", options.get("touch") == "no"
puzzle = Puzzle(solver, "", {"visit_all": every, "no_2x2": apart})
puzzle.row, puzzle.col = len(rows), len(rows[0])
cells = [(r, c) for r in range(puzzle.row) for c in range(puzzle.col)]
for r, c in cells:
    token = rows[r][c]
    if token == "#":
        puzzle.surface[Point(r, c)] = Color.BLACK
    elif token == "?":
        puzzle.text[Point(r, c)] = "?"
    elif token != ".":
        puzzle.text[Point(r, c)] = int(token)
        if kind == "rooks":
            puzzle.surface[Point(r, c)] = Color.BLACK
load_solver("solver", solver)
program = modules[solver].solve(puzzle)
made = time.process_time()

control = Control(message_limit=0)
control.configuration.asp.trans_ext = "dynamic"
control.configuration.asp.eq = 1
control.configuration.solve.models = {"solve": 1, "unique": 2, "backbone": 0}[question]
control.add(program=program)
control.ground()
ground = time.process_time()


def last_model(mode):
    """Returns the atoms of the last model, and the number of models."""
    control.configuration.solve.enum_mode = mode
    atoms, count = None, 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            count += 1
            if count == 1 or question == "backbone":
                atoms = {(symbol.name, *map(str, symbol.arguments)) for symbol in model.symbols(shown=True)}
    return atoms, count


def marked(atoms):
    """Returns the cells for which the puzzle's only binary predicate holds."""
    return {(int(atom[1]), int(atom[2])) for atom in atoms}


def numbers(atoms):
    """Returns the number of each cell's path, found by following the lines from the clues."""
    step = {"top": (-1, 0), "bottom": (1, 0), "left": (0, -1), "right": (0, 1)}
    lines = {}
    for _, r, c, d in atoms:
        lines.setdefault((int(r), int(c)), []).append(d.strip('"'))
    grid = [[0] * puzzle.col for _ in rows]
    for (r, c, _, _), number in puzzle.text.items():
        todo = [(r, c)]
        while todo:
            r, c = todo.pop()
            if grid[r][c] == 0:
                grid[r][c] = number
                todo += [(r + step[d][0], c + step[d][1]) for d in lines.get((r, c), [])]
    return grid


solution = {"status": "solved"}
if question == "backbone":
    always, count = last_model("cautious")
    if count == 0:
        solution = {"status": "none"}
    else:
        ever, _ = last_model("brave")
        always, ever = marked(always), marked(ever)
        solution["backbone"] = [
            [1 if (r, c) in always else None if (r, c) in ever else 0 for c in range(puzzle.col)]
            for r in range(puzzle.row)
        ]
else:
    atoms, count = last_model("auto")
    if count == 0:
        solution = {"status": "none"}
    elif kind == "numberlink":
        solution["grid"] = numbers(atoms)
    else:
        found = marked(atoms)
        solution["grid"] = [[int((r, c) in found) for c in range(puzzle.col)] for r in range(puzzle.row)]
    if question == "unique" and count:
        solution["unique"] = count == 1
search = time.process_time()
solution["cpu"] = {"start": began, "program": made - began, "ground": ground - made, "search": search - ground}
print(json.dumps(solution))
