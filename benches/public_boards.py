#!/usr/bin/env python3
"""Solves public boards of the puzzle types that are stated by sheets, and checks their published solutions.

    public_boards.py [--gordian GORDIAN] [--sample N] [--type TYPE] [--out FILE] DATASET

DATASET is a checkout of github.com/SmilingWayne/puzzlekit-dataset. Each board is converted to gordian's text and solved with
`solve --unique` within 10 s of processor time; `check` checks the published solution. With --sample, only N boards of each type
are used: the largest, one of five, and others drawn at random. The script prints a row for each type, and every board with another outcome than a solution
that is unique and published. The boards and solutions are only measured, and not kept.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 10
# Rules of the sheets that the boards of a type do not have.
LEFT_OUT = {"Binairo": ("different rows", "different columns")}
BITS = {"n": 1, "e": 2, "s": 4, "w": 8}


class Skipped(Exception):
    """A board with other rules, or with damaged data."""


def rows_of(text):
    """Returns the words of the first line, and those of the others."""
    lines = [line.split() for line in text.strip().split("\n")]
    return lines[0], lines[1:]


class Board:
    """A board of the dataset."""

    def __init__(self, entry):
        head, self.rows = rows_of(entry["problem"])
        self.height, self.width = int(head[0]), int(head[1])
        self.more = head[2:]
        self.solution = None
        if entry["solution"].strip():
            head, self.solution = rows_of(entry["solution"])
            if (int(head[0]), int(head[1])) != (self.height, self.width):
                raise Skipped("the solution has another size")

    def take(self, rows=None, columns=None):
        """Takes the next rows of the board."""
        rows, columns = rows or self.height, columns or self.width
        taken, self.rows = self.rows[:rows], self.rows[rows:]
        if len(taken) != rows or any(len(row) != columns for row in taken):
            raise Skipped("rows are missing")
        return taken

    def clues(self):
        return mapped(self.take(), {"-": "."})

    def solved(self, value):
        """Returns a value for each cell of the solution."""
        if self.solution is None:
            return None
        rows = self.solution
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise Skipped("cells of the solution are missing")
        return [[value(token) for token in row] for row in rows]


def mapped(grid, tokens):
    return [[tokens.get(token, token) for token in row] for row in grid]


def text(name, *blocks, head=()):
    lines = [name, *head]
    for block in blocks:
        lines += [" ".join(str(token) for token in row) for row in block]
    return "\n".join(lines) + "\n"


def is_shaded(token):
    if token not in "-xo":
        raise Skipped("damaged solution")
    return int(token != "-")


def number(token):
    return int(token) if token != "-" else 0


def sides(token):
    if token in ("-", "x"):
        return 0
    if set(token) - set(BITS):
        raise Skipped("damaged solution")
    return sum(BITS[letter] for letter in token)


def field(name, grid):
    return None if grid is None else {name: grid}


def shading(name):
    return lambda board: (text(name, board.clues()), field("grid", board.solved(is_shaded)))


def numbers(name):
    return lambda board: (text(name, board.clues()), field("grid", board.solved(number)))


def corners(name, value):
    def read(board):
        grid = mapped(board.take(board.height + 1, board.width + 1), {"-": "."})
        return text(name, grid), field("grid", board.solved(value))

    return read


def areas_first(name, value, result="grid", with_clues=True):
    """Boards whose clues precede their areas."""

    def read(board):
        clues = board.clues() if with_clues else None
        areas = board.take()
        areas = mapped(areas, {"@": "#"})
        if name in ("heyawake", "countryroad") and any("#" in row for row in areas):
            raise Skipped("cells that do not belong to the board")
        if name == "norinori":
            clues = None
        return text(name, areas, *([clues] if clues else [])), field(result, board.solved(value))

    return read


def read_binairo(board):
    digit = {"1": "0", "2": "1", "-": "."}
    return text("binairo", mapped(board.take(), digit)), field("grid", board.solved(lambda token: int(token) - 1))


def read_galaxies(board):
    stars = mapped(board.take(), {"-": ".", "0": 1, "1": 3, "2": 2, "3": 4})
    areas = board.solved(int)
    if areas is not None:
        owner = {}
        cells = [(row, column) for row in range(board.height) for column in range(board.width)]
        for count, (row, column) in enumerate(((r, c) for r, c in cells if stars[r][c] != "."), 1):
            owner[areas[row][column]] = count
        areas = [[owner.get(area, 0) for area in row] for row in areas]
    return text("galaxies", stars), field("grid", areas)


def read_hashi(board):
    islands = board.clues()
    if board.solution is None:
        return text("hashi", islands), None
    drawn = board.solved(lambda token: token)
    bridges = {"1": (0, 1), "2": (0, 2), "a": (1, 1), "b": (1, 2)}
    built = []
    for row in range(board.height):
        for column in range(board.width):
            if islands[row][column] == ".":
                continue
            for axis, (down, right) in enumerate(((0, 1), (1, 0))):
                y, x = row + down, column + right
                between = []
                while y < board.height and x < board.width:
                    if islands[y][x] != ".":
                        kinds = {bridges.get(token, (axis, 0)) for token in between}
                        if not between:
                            raise Skipped("islands side by side")
                        built.append(kinds.pop()[1] if len(kinds) == 1 and next(iter(kinds))[0] == axis else 0)
                        break
                    between.append(drawn[y][x])
                    y, x = y + down, x + right
    return text("hashi", islands), {"built": built}


def read_kakuro(board):
    def cell(token):
        if token == "0":
            return "."
        down, _, right = token.replace("-", "").partition(",")
        return down + "\\" + right

    cells = [[cell(token) for token in row] for row in board.take()]
    return text("kakuro", cells), field("grid", board.solved(number))


def read_masyu(board):
    pearls = mapped(board.take(), {"-": ".", "1": "w", "2": "b"})
    return text("masyu", pearls), field("line", board.solved(sides))


def read_nonogram(board):
    lists = board.rows
    if len(lists) != board.width + board.height:
        raise Skipped("rows are missing")
    head = f"nonogram size={board.height}x{board.width}"
    lists = [row or ["0"] for row in lists]
    return text(head, lists), field("grid", board.solved(is_shaded))


def read_shikaku(board):
    areas = board.solved(int)
    if areas is not None:
        order = {}
        areas = [[order.setdefault(area, len(order) + 1) for area in row] for row in areas]
    return text("shikaku", board.clues()), field("grid", areas)


def read_simpleloop(board):
    return text("simpleloop", mapped(board.take(), {"-": ".", "x": "#"})), field("line", board.solved(sides))


def read_skyscrapers(board):
    if "D" in board.more:
        raise Skipped("diagonals")
    if int(board.more[0]) != board.width:
        raise Skipped("with empty cells")
    views = [mapped(board.take(1, board.width), {"-": "."})[0] for _ in range(4)]
    return text("skyscrapers", views, board.clues()), field("grid", board.solved(number))


def read_slitherlink(board):
    clues = board.clues()
    inside = board.solved(is_shaded)
    if inside is None:
        return text("slitherlink", clues), None
    height, width = board.height, board.width
    shaded = lambda row, column: 0 <= row < height and 0 <= column < width and inside[row][column]
    lines = [[0] * (width + 1) for _ in range(height + 1)]
    for row in range(height + 1):
        for column in range(width + 1):
            if shaded(row - 1, column) != shaded(row, column):
                lines[row][column] += 2
                lines[row][column + 1] += 8
            if shaded(row, column - 1) != shaded(row, column):
                lines[row][column] += 4
                lines[row + 1][column] += 1
    return text("slitherlink", clues), {"line": lines}


def read_starbattle(board):
    head = [f"stars = {board.more[0]}"]
    return text("starbattle", mapped(board.take(), {"@": "#"}), head=head), field("grid", board.solved(is_shaded))


def read_sudoku(board):
    # The boxes of gordian follow from the size.
    return text("sudoku", board.clues()), field("grid", board.solved(number))


def read_tents(board):
    columns, rows = board.take(1, board.width), board.take(1, board.height)
    trees = mapped(board.take(), {"x": "t"})
    blocks = [mapped(block, {"-": "."}) for block in (columns, rows, trees)]
    return text("tents", *blocks), field("grid", board.solved(lambda token: int(token == "o")))


def read_yajilin(board):
    clues = mapped(board.take(), {"-": ".", "x": "?"})
    if any("@" in row for row in clues):
        raise Skipped("a cell with @")
    grid = board.solved(lambda token: int(token == "x"))
    if grid is not None:
        grid = [[int(shaded and clue == ".") for shaded, clue in zip(*rows)] for rows in zip(grid, clues)]
    lines = board.solved(sides)
    return text("yajilin", clues), None if grid is None else {"grid": grid, "line": lines}


READERS = {
    "Binairo": read_binairo,
    "CountryRoad": areas_first("countryroad", sides, "line"),
    "Creek": corners("creek", is_shaded),
    "Fillomino": numbers("fillomino"),
    "Galaxies": read_galaxies,
    "GokigenNaname": corners("gokigen", lambda token: int(token == "\\")),
    "Hakyuu": areas_first("hakyuu", number),
    "Hashi": read_hashi,
    "Heyawake": areas_first("heyawake", is_shaded),
    "Hitori": shading("hitori"),
    "Kakuro": read_kakuro,
    "KillerSudoku": areas_first("killer", number),
    "Kuromasu": shading("kuromasu"),
    "LITS": areas_first("lits", lambda token: int(token != "-"), with_clues=False),
    "Masyu": read_masyu,
    "Mosaic": shading("mosaic"),
    "Nonogram": read_nonogram,
    "Norinori": areas_first("norinori", is_shaded),
    "Shikaku": read_shikaku,
    "SimpleLoop": read_simpleloop,
    "Skyscraper": read_skyscrapers,
    "Slitherlink": read_slitherlink,
    "Starbattle": read_starbattle,
    "Sudoku": read_sudoku,
    "Suguru": areas_first("suguru", number),
    "Tent": read_tents,
    "Yajilin": read_yajilin,
    "YinYang": lambda board: (text("yinyang", board.clues()), field("grid", board.solved(lambda token: int(token == "b")))),
}


def run(command, given=None):
    """Returns the exit code, the output, and the processor seconds."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as text:
        text.write((given or "").encode())
        text.seek(0)
        process = subprocess.Popen(command, stdin=text, stdout=output, stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read().decode(errors="replace"), used.ru_utime + used.ru_stime


def own_rules(gordian, folder, name, puzzle):
    """Returns the options for the rules of a type whose boards do not have all rules of the sheet."""
    if name not in LEFT_OUT:
        return []
    sheet = subprocess.run([gordian, "puzzle", puzzle, "--rules"], capture_output=True, text=True, check=True).stdout
    left_out = [f'rule "{rule}"' for rule in LEFT_OUT[name]]
    path = Path(folder) / "rules.sheet"
    path.write_text("".join(line + "\n" for line in sheet.split("\n") if not line.startswith(tuple(left_out))))
    return ["--rules", str(path)]


def measured(gordian, folder, name, key, entry):
    """Solves a board and checks its published solution. Returns what was found."""
    try:
        board, solution = READERS[name](Board(entry))
    except (Skipped, ValueError, KeyError, IndexError) as reason:
        return {"left out": str(reason) or type(reason).__name__}
    path = Path(folder) / "board.txt"
    path.write_text(board)
    rules = own_rules(gordian, folder, name, board.split()[0])
    code, output, seconds = run([gordian, "solve", str(path), "--unique", "--json", *rules])
    found = {"seconds": seconds}
    try:
        result = json.loads(output)
        found["outcome"] = "unique" if result.get("unique") else "several" if "other" in result else result["status"]
    except (ValueError, KeyError):
        found["outcome"] = "timeout" if code in (-9, -24) else "error: " + output.strip().split("\n")[0]
    if solution is not None:
        code, output, _ = run([gordian, "check", str(path), "-", *rules], json.dumps(solution))
        found["published"] = "correct" if code == 0 else output.strip().split("\n")[0]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--gordian", default="gordian")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--type", action="append")
    parser.add_argument("--out", type=Path, help="a file of JSON lines with each result; boards in it are not run again")
    options = parser.parse_args()
    known = {}
    if options.out and options.out.exists():
        for line in options.out.read_text().splitlines():
            found = json.loads(line)
            known[found["type"], found["board"]] = found
    print("| type | boards | left out | unique | several | not in 10 s | other | median ms | 95 % ms | refused |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    notes = []
    for name in options.type or READERS:
        file = options.dataset / "assets" / "data" / name / f"{name}_dataset.json"
        data = json.loads(file.read_text())
        entries = data.get("data") or data.get("puzzles")
        keys = sorted(entries, key=lambda key: -len(entries[key]["problem"]))
        if options.sample and len(keys) > options.sample:
            largest = options.sample // 5
            drawn = random.Random(1).sample(sorted(keys[largest:]), options.sample - largest)
            keys = keys[:largest] + drawn
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for key in keys:
                found = known.get((name, key))
                if found is None:
                    found = {"type": name, "board": key, **measured(options.gordian, folder, name, key, entries[key])}
                    if options.out:
                        with options.out.open("a") as out:
                            out.write(json.dumps(found) + "\n")
                results.append(found)
        used = [found for found in results if "left out" not in found]
        count = lambda outcome: sum(found["outcome"] == outcome for found in used)
        milliseconds = sorted(1000 * found["seconds"] for found in used) or [0]
        refused = [found for found in used if found.get("published", "correct") != "correct"]
        known_outcomes = [count("unique"), count("several"), count("timeout")]
        cells = [name, len(used), len(results) - len(used), *known_outcomes, len(used) - sum(known_outcomes)]
        cells += [f"{statistics.median(milliseconds):.0f}", f"{milliseconds[len(milliseconds) * 19 // 20]:.0f}", len(refused)]
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
        for found in results:
            published = found.get("published", "correct")
            if found.get("left out"):
                notes.append(f"{name} {found['board']}: left out: {found['left out']}")
            elif found["outcome"] != "unique" or published != "correct":
                notes.append(f"{name} {found['board']}: {found['outcome']}, published: {published}, {found['seconds']:.1f} s")
    print("\n".join(["", *notes]))


if __name__ == "__main__":
    main()
