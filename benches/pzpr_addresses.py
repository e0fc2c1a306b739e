#!/usr/bin/env python3
"""Compares gordian with the tests of pzprjs and cspuz_core: their addresses, solved boards and boards that break a rule.

    pzpr_addresses.py [--gordian GORDIAN] [--beside RUN_SOLVER] [--verbose] PZPRJS [CSPUZ_CORE]

PZPRJS is a checkout of github.com/robx/pzprjs, and CSPUZ_CORE one of github.com/semiexp/cspuz_core. For each script in
PZPRJS/test/script of a puzzle type that is stated by a sheet, the script checks that

* the address is read, and written again in the same way;
* `gordian check` accepts each solved board;
* `gordian check` refuses each other board, with a rule that means the same.

For CSPUZ_CORE, it checks that the addresses in the tests are read and written again, and that the boards have one solution. With
--beside, its program `run_solver` must find the same number of solutions (none, one, several), and the same value at each place.
The exit code is 1 if a check fails that is not listed in DIFFERENCES.
"""

import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What gordian says if a cell has no value, or one that its variable can't have.
VALUES = ("the values that", "each area is one that", "no values of")
# Rules that only together say which tree a tent belongs to.
TENTS = ("one tent for each tree", "one tree for each tent", "ties join tree and tent")
# The rule of the sheet for each code of pzprjs. Codes of a single puzzle type follow its name.
RULES = {
    "anNoArrow": "clue",
    "anShadeNe": "clue",
    "bkDupNum": "different in an area",
    "bkLineNe": "clue",
    "bkNoLine": "each area once",
    "bkNoNum": VALUES,
    "bkNoStar": VALUES,
    "bkNotRect": VALUES,
    "bkNotSymSt": "symmetric",
    "bkNumGe2": VALUES,
    "bkPassTwice": "each area once",
    "bkPlStar": "a star in its area",
    "bkShadeGt4": "four in an area",
    "bkShadeLt4": "four in an area",
    "bkShadeNe": "clue",
    "bkSizeNe": VALUES,
    "bkStarGt": "stars of a row, column or area",
    "bkStarLt": "stars of a row, column or area",
    "bkUnshadeConsecGt3": "no line through three rooms",
    "bdPassStar": "a star in its area",
    "brNoLine": "one loop",
    "bsSameNum": "areas",
    "bsSameShape": "neighbours have different shapes",
    "cbNoLine": "no two neighbours left out across a border",
    "ceEmpty": "every other cell is shaded or on the loop",
    "ceNoLine": "every other cell is on the loop",
    "ceNoNum": VALUES,
    "ceNoSlash": VALUES,
    "crConnSlNe": "clue",
    "crShadeGt": "clue",
    "crShadeLt": "clue",
    "cs2x2": "no square",
    "csAdjacent": "no two shaded neighbours",
    "csDivide": "shaded cells are connected",
    "csGt2": "dominoes",
    "csLt2": "dominoes",
    "cuDivide": "unshaded cells are connected",
    "cuDivideRB": "unshaded cells are connected",
    "exNoMatch": "clue",
    "exTentNe": "clue",
    "lcDivided": "islands are connected",
    "lits bkNoShade": "four in an area",
    "lits bkShadeDivide": "a tetromino",
    "lnBranch": "one loop",
    "lnCross": "one loop",
    "lnDeadEnd": "one loop",
    "lnOnShade": "every other cell is shaded or on the loop",
    "lnPlLoop": "one loop",
    "lnStarNe": "stars of a row, column or area",
    "mashuBCvNbr": "straight on from a black pearl",
    "mashuBStrig": "a turn at a black pearl",
    "mashuOnLine": "a turn at a black pearl",
    "mashuWCurve": "straight through a white pearl",
    "mashuWStNbr": "a turn beside a white pearl",
    "ms2x2": "no square",
    "msDivide": "black is connected",
    "mu2x2": "no square",
    "muDivide": "white is connected",
    "nmAround": "equal numbers do not touch",
    "hitori nmDupRow": "no number twice",
    "kakuro nmDupRow": "different digits",
    "nmDupRow": "row or column",
    "nmLineGt": "clue",
    "nmLineLt": "clue",
    "nmLineNe": "clue",
    "nmSightNe": "clue",
    "nmSmallGap": "distance",
    "nmSumRowNe": "sum",
    "nmSumViewNe": "clue",
    "nmTentGt": TENTS,
    "nmTentLt": TENTS,
    "nmTentNone": TENTS,
    "nmTreeNone": TENTS,
    "norinori bkNoShade": "two in an area",
    "norinori bkShadeGt2": "two in an area",
    "norinori bkShadeLt2": "two in an area",
    "slLoop": "no loops",
    "starAround": "stars do not touch",
    "tentAround": "tents do not touch",
    "sudoku bkDupNum": "box",
    "bkSizeGt": "areas",
    "bkSizeLt": "areas",
    "bkMixedNum": "areas",
}

# Boards on which gordian and the other program differ, with the reason.
NOT_DRAWN = "cspuz_core does not draw all values"
NOTHING_DRAWN = "pzprjs requires that something is drawn, also on a board without clues"
INNER = "a side that ends inside of an area is not part of a solution"
LINES = "a line that belongs to no circle is not part of a solution"
DIFFERENCES = {
    "ayeheya brNoShade": NOTHING_DRAWN,
    "balloon answer": NOT_DRAWN,
    "bonsan brNoLine": NOTHING_DRAWN,
    "bonsan laIsolate": LINES,
    "box brNoShade": NOTHING_DRAWN,
    "brownies laIsolate": LINES,
    "castle anNoArrow": "a number without a direction has no meaning",
    "chocona brNoShade": NOTHING_DRAWN,
    "aquarium unique": "the board in the test of cspuz_core has several solutions there, too",
    "koburin written": "pzpr itself writes `a` for a 0 in the last cell",
    "doubleback written": "the sides of cells that belong to no area are borders",
    "pencils answer": NOT_DRAWN,
    "timebomb answer": NOT_DRAWN,
    "rassi written": "the sides of cells that belong to no area are borders",
    "evolmino unique": "two boards in the tests of cspuz_core, which only ask for a solution, have several",
    "goishi brNoStone": "a board without stones is solved",
    "hamlepaths laIsolate": LINES,
    "hanare bkSizeNe": "the numbers follow from the marked cells",
    "heyabon laIsolate": LINES,
    "kurochute brNoShade": NOTHING_DRAWN,
    "kusabi brNoLine": NOTHING_DRAWN,
    "lohkous bdUnused": INNER,
    "magnets written": "the sides of cells that belong to no area are borders",
    "lookair brNoShade": NOTHING_DRAWN,
    "mochikoro brNoShade": NOTHING_DRAWN,
    "nawabari bdDeadEnd": INNER,
    "railpool written": "the sides of cells that belong to no area are borders",
    "satogaeri laIsolate": LINES,
    "squarejam bdDeadEnd": INNER,
    "sukoro brNoValidNum": NOTHING_DRAWN,
    "sukororoom brNoValidNum": NOTHING_DRAWN,
    "tapa brNoShade": NOTHING_DRAWN,
    "tapa read": "a clue with some numbers that are not known can't be stated",
    "tasquare brNoShade": NOTHING_DRAWN,
    "tatamibari bdDeadEnd": INNER,
    "tilepaint brNoShade": NOTHING_DRAWN,
    "view brNoValidNum": NOTHING_DRAWN,
    "wblink brNoLine": NOTHING_DRAWN,
    "yajisoko anNoArrow": "a number without a direction has no meaning",
    "yajisoko laIsolate": LINES,
    "yosenabe brNoLine": NOTHING_DRAWN,
    "yosenabe laIsolate": LINES,
    "yajikazu brNoShade": NOTHING_DRAWN,
    "creek brNoShade": NOTHING_DRAWN,
    "hashikake brNoLine": NOTHING_DRAWN,
    "heyawake brNoShade": NOTHING_DRAWN,
    "hitori brNoShade": NOTHING_DRAWN,
    "kurodoko brNoShade": NOTHING_DRAWN,
    "shikaku bdDeadEnd": INNER,
}


class Skipped(Exception):
    """A board that has no counterpart in gordian."""


class File:
    """The lines of a board in the file format of pzpr."""

    def __init__(self, text):
        lines = text.split("/")
        version = re.fullmatch(r"pzprv3(?:\.(\d+))?", lines[0])
        self.version = int(version.group(1) or 0)
        self.type = lines[1]
        if self.type.startswith("v:"):
            raise Skipped("a variant")
        self.rows = int(lines[2])
        rest = 3
        if self.type == "sudoku":
            self.columns = self.rows
        else:
            self.columns = int(lines[3])
            rest = 4
        self.lines = lines[rest:]

    def flags(self):
        """Takes the line of settings, if there is one."""
        if self.lines and re.fullmatch(r"[a-z]+", self.lines[0]):
            return self.lines.pop(0)
        return ""

    def line(self):
        return self.lines.pop(0) if self.lines else ""

    def grid(self, rows, columns, blank="."):
        """Takes some lines of tokens."""
        grid = [self.line().split() for _ in range(rows)]
        return [(row + [blank] * columns)[:columns] for row in grid]

    def cells(self):
        return self.grid(self.rows, self.columns)

    def edges(self, around=0):
        """Takes what lies between the cells of a row and between those of a column, with `around=1` also at the border."""
        across = self.grid(self.rows, self.columns - 1 + 2 * around, "0")
        down = self.grid(self.rows - 1 + 2 * around, self.columns, "0")
        number = lambda row: [max(0, int(token)) if token.lstrip("-").isdigit() else 0 for token in row]
        return [number(row) for row in across], [number(row) for row in down]

    def areas(self):
        self.line()
        return self.cells()


def flood(rows, columns, walls, closed=frozenset()):
    """Returns the number of the area of each cell, counted row by row from 1, and 0 for a closed one."""
    across, down = walls
    areas = [[0] * columns for _ in range(rows)]
    count = 0
    for start in ((row, column) for row in range(rows) for column in range(columns)):
        if areas[start[0]][start[1]] or start in closed:
            continue
        count += 1
        areas[start[0]][start[1]] = count
        open_cells = [start]
        while open_cells:
            row, column = open_cells.pop()
            near = []
            if column + 1 < columns and not across[row][column]:
                near.append((row, column + 1))
            if column > 0 and not across[row][column - 1]:
                near.append((row, column - 1))
            if row + 1 < rows and not down[row][column]:
                near.append((row + 1, column))
            if row > 0 and not down[row - 1][column]:
                near.append((row - 1, column))
            for cell in near:
                if not areas[cell[0]][cell[1]] and cell not in closed:
                    areas[cell[0]][cell[1]] = count
                    open_cells.append(cell)
    return areas


def path(rows, columns, lines):
    """Returns the sides through which lines leave each cell, as a sum of 1, 2, 4 and 8."""
    across, down = lines
    sides = [[0] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            right = column + 1 < columns and across[row][column]
            below = row + 1 < rows and down[row][column]
            if right:
                sides[row][column] += 2
                sides[row][column + 1] += 8
            if below:
                sides[row][column] += 4
                sides[row + 1][column] += 1
    return sides


def fence(rows, columns, lines):
    """Returns the directions in which lines leave each corner. The lines across separate cells of a row."""
    upright, flat = lines
    return path(rows + 1, columns + 1, (flat, upright))


def clues(grid):
    return [["?" if token == "-" else token for token in row] for row in grid]


def shaded(grid):
    return [[int(token == "#") for token in row] for row in grid]


def answers(given, found):
    """Returns the numbers of a solution, 0 where it has none."""
    number = lambda token: int(token) if token.isdigit() else 0
    return [[number(a) or number(b) for a, b in zip(*rows)] for rows in zip(given, found)]


def mapped(grid, tokens):
    return [[tokens.get(token, token) for token in row] for row in grid]


def text(name, *blocks, size=None, head=()):
    lines = [name if size is None else f"{name} size={size[0]}x{size[1]}", *head]
    for block in blocks:
        lines += [" ".join(str(token) for token in row) for row in block]
    return "\n".join(lines) + "\n"


def areas_or_walls(file, version):
    if file.version < version:
        return file.areas()
    return flood(file.rows, file.columns, file.edges())


def read_country(file):
    if file.version >= 1 and "country_empty" in file.line():
        raise Skipped("a variant")
    areas, given = areas_or_walls(file, 2), file.cells()
    return text("countryroad", areas, clues(given)), {"line": path(file.rows, file.columns, file.edges())}


def read_creek(file):
    given = file.grid(file.rows + 1, file.columns + 1)
    return text("creek", clues(given)), {"grid": shaded(file.cells())}


def read_fillomino(file):
    if file.flags():
        raise Skipped("a variant")
    given = file.cells()
    return text("fillomino", clues(given)), {"grid": answers(given, file.cells())}


def read_tentaisho(file):
    dots = [file.line() for _ in range(2 * file.rows - 1)]
    blank = lambda: [["."] * file.columns for _ in range(file.rows)]
    stars = blank()
    centres, closed = [], set()
    for row, line in enumerate(dots):
        for column, token in enumerate(line):
            if token in "12":
                stars[row // 2][column // 2] = 1 + row % 2 + 2 * (column % 2)
                centres.append((row, column))
            elif token == "X":
                stars[row // 2][column // 2] = "#"
                closed.add((row // 2, column // 2))
    areas = flood(file.rows, file.columns, file.edges(), closed)
    # Stars are counted by their cells.
    centres.sort(key=lambda at: (at[0] // 2, at[1] // 2))
    owner = {areas[row // 2][column // 2]: number for number, (row, column) in enumerate(centres, 1)}
    return text("galaxies", stars), {"grid": [[owner.get(area, 0) for area in row] for row in areas]}


def read_gokigen(file):
    given = file.grid(file.rows + 1, file.columns + 1)
    slant = {"1": 1, "2": 0, ".": 2}
    return text("gokigen", clues(given)), {"grid": mapped(file.cells(), slant)}


def read_rooms_with_numbers(name):
    def read(file):
        walls = file.edges()
        given = file.cells()
        closed = {(row, column) for row in range(file.rows) for column in range(file.columns) if given[row][column] == "#"}
        areas = flood(file.rows, file.columns, walls, closed)
        label = [["#" if area == 0 else area for area in row] for row in areas]
        grid = answers(given, file.cells())
        return text(name, label, mapped(clues(given), {"#": "."})), {"grid": grid}

    return read


def read_hashi(file):
    given = file.cells()
    across, down = file.edges()
    built = []
    for row in range(file.rows):
        for column in range(file.columns):
            if given[row][column] == ".":
                continue
            for step, lines in ((0, 1), across), ((1, 0), down):
                bridges = []
                y, x = row, column
                while y + step[0] < file.rows and x + step[1] < file.columns:
                    bridges.append(lines[y][x])
                    y, x = y + step[0], x + step[1]
                    if given[y][x] != ".":
                        built.append(min(bridges))
                        break
    return text("hashi", clues(given)), {"built": built}


def read_heyawake(file):
    areas, given = areas_or_walls(file, 1), file.cells()
    return text("heyawake", areas, clues(given)), {"grid": shaded(file.cells())}


def read_shading(name):
    def read(file):
        given = file.cells()
        return text(name, clues(given)), {"grid": shaded(file.cells())}

    return read


def read_kakuro(file):
    sum_of = lambda token: token if token.isdigit() and token != "0" else ""
    cells = []
    for row, tokens in enumerate(file.grid(file.rows + 1, file.columns + 1)):
        cells.append([])
        for column, token in enumerate(tokens):
            if row == 0 or column == 0:
                down, right = (token, "") if row == 0 else ("", token)
            elif "," in token:
                right, down = token.split(",")
            else:
                cells[-1].append(".")
                continue
            cells[-1].append(sum_of(down) + "\\" + sum_of(right))
    found = [["."] * (file.columns + 1)] + [["."] + row for row in file.cells()]
    return text("kakuro", cells), {"grid": answers(found, found)}


def read_areas(name):
    def read(file):
        return text(name, file.areas()), {"grid": shaded(file.cells())}

    return read


def read_mashu(file):
    if file.flags():
        raise Skipped("a variant")
    pearls = mapped(file.cells(), {"1": "w", "2": "b"})
    return text("masyu", pearls), {"line": path(file.rows, file.columns, file.edges())}


def read_nonogram(file):
    above, beside = -(-file.rows // 2), -(-file.columns // 2)
    grid = file.grid(above + file.rows, beside + file.columns)
    if "-" in sum(grid, []):
        raise Skipped("a number that is not known")
    number = lambda tokens: [token for token in tokens if token.isdigit()] or ["0"]
    columns = [number([grid[row][beside + column] for row in range(above)]) for column in range(file.columns)]
    rows = [number(grid[above + row][:beside]) for row in range(file.rows)]
    cells = [row[beside:] for row in grid[above:]]
    return text("nonogram", columns, rows, size=(file.rows, file.columns)), {"grid": shaded(cells)}


def read_shikaku(file):
    given = file.cells()
    return text("shikaku", clues(given)), {"grid": flood(file.rows, file.columns, file.edges())}


def read_simpleloop(file):
    walls = mapped(file.cells(), {"*": "#"})
    return text("simpleloop", walls), {"line": path(file.rows, file.columns, file.edges())}


def read_skyscrapers(file):
    grid = file.grid(file.rows + 2, file.columns + 2)
    inner = [row[1:-1] for row in grid]
    sides = [inner[0], inner[-1], [row[0] for row in grid[1:-1]], [row[-1] for row in grid[1:-1]]]
    given = [[token[1:] if token.startswith("q") else "." for token in row] for row in inner[1:-1]]
    return text("skyscrapers", clues(sides), clues(given)), {"grid": answers(given, inner[1:-1])}


def read_slither(file):
    if file.flags():
        raise Skipped("a variant")
    given = file.cells()
    if file.version >= 1:
        file.cells()
    return text("slitherlink", clues(given)), {"line": fence(file.rows, file.columns, file.edges(1))}


def read_starbattle(file):
    stars = file.line()
    return text("starbattle", file.areas(), head=[f"stars = {stars}"]), {"grid": shaded(file.cells())}


def read_sudoku(file):
    given = file.cells()
    return text("sudoku", clues(given)), {"grid": answers(given, file.cells())}


def read_tents(file):
    grid = file.grid(file.rows + 1, file.columns + 1)
    columns, rows = grid[0][1:], [row[0] for row in grid[1:]]
    cells = [row[1:] for row in grid[1:]]
    trees = [["t" if token == "1" else "." for token in row] for row in cells]
    return text("tents", clues([columns]), clues([rows]), trees), {"grid": [[int(t == "A") for t in row] for row in cells]}


def read_yajilin(file):
    if "o" in file.flags():
        raise Skipped("a variant")
    clue = []
    for row in file.cells():
        clue.append([])
        for token in row:
            direction, _, number = token.partition(",")
            arrow = {"1": "n", "2": "s", "3": "w", "4": "e"}.get(direction, "")
            number = "?" if number == "-" else number
            clue[-1].append("." if token == "." else "?" if token == "#" else number + arrow)
    grid = shaded(file.cells())
    return text("yajilin", clue), {"grid": grid, "line": path(file.rows, file.columns, file.edges())}


def read_yinyang(file):
    given = file.cells()
    colour = [[{"1": 0, "2": 1, "0": 2}[str(number)] for number in row] for row in answers(given, file.cells())]
    return text("yinyang", mapped(given, {"1": "w", "2": "b"})), {"grid": colour}


def plain_reader(name, sections, **more):
    """Returns a reader of boards whose files consist of the given sections.

    `rooms` are numbered areas; `rooms1` and `rooms2` are borders from this version of the file format on; `walls` are always borders.
    `clues` are data in cells. `shaded`, `numbers`, `marks`, `lines`, `fence` and `pieces` are the solution, and `skip` is neither.
    """

    def read(file):
        blocks, solution = [], {}
        size = (file.rows, file.columns)
        for section in sections.split():
            if section == "flags":
                if set(file.flags()) - set(more.get("flags", "")):
                    raise Skipped("a variant")
            elif section == "rooms":
                blocks.append(file.areas())
            elif section.startswith("rooms"):
                blocks.append(areas_or_walls(file, int(section[5:])))
            elif section == "walls":
                blocks.append(flood(*size, file.edges()))
            elif section == "clues":
                blocks.append(clues(file.cells()))
            elif section == "shaded":
                solution["grid"] = shaded(file.cells())
            elif section == "numbers":
                if "?" in sum(blocks[-1], []):
                    raise Skipped("a number that is not written")
                solution["grid"] = answers(blocks[-1], file.cells())
            elif section == "found":
                found = file.cells()
                solution["grid"] = answers(found, found)
            elif section == "marks":
                found = answers(blocks[-1], file.cells())
                solution["grid"] = [[int(number > 0) for number in row] for row in found]
            elif section == "lines":
                solution["line"] = path(*size, file.edges())
            elif section == "fence":
                solution["line"] = fence(*size, file.edges(1))
            elif section == "pieces":
                solution["grid"] = flood(*size, file.edges())
            elif section == "skip" or section == "skip1" and file.version >= 1:
                file.cells()
        blocks[-1] = mapped(blocks[-1], more.get("map", {}))
        return text(name, *blocks), solution

    return read


def chains(file, start, links):
    """Returns the number of the piece of each cell: cells joined by lines, if they contain a start."""
    across, down = links
    closed = [[not line for line in row] for row in across], [[not line for line in row] for row in down]
    areas = flood(file.rows, file.columns, closed)
    used = {areas[row][column] for row in range(file.rows) for column in range(file.columns) if start[row][column] != "."}
    order = {}
    for area in sum(areas, []):
        if area in used:
            order.setdefault(area, len(order) + 1)
    return [[order.get(area, 0) for area in row] for row in areas]


def read_moves(name, areas):
    def read(file):
        circles = file.cells()
        file.cells()
        blocks = [clues(circles)]
        if areas is not None:
            walls = file.edges()
            if areas:
                blocks.insert(0, flood(file.rows, file.columns, walls))
        return text(name, *blocks), {"grid": chains(file, circles, file.edges())}

    return read


def outside(file, more=0):
    """Takes a board with numbers above and to the left: the numbers of the columns, those of the rows, and the cells."""
    grid = file.grid(file.rows + 1 + more, file.columns + 1 + more)
    number = lambda token: token.lstrip("c") if token.lstrip("c").isdigit() else "."
    columns = [number(token) for token in grid[0][1 : file.columns + 1]]
    rows = [number(row[0]) for row in grid[1 : file.rows + 1]]
    return columns, rows, [row[1 : file.columns + 1] for row in grid[1 : file.rows + 1]]


def read_aquarium(file):
    if file.flags():
        raise Skipped("a variant")
    areas = flood(file.rows, file.columns, file.edges())
    columns, rows, cells = outside(file)
    return text("aquarium", [columns], [rows], areas), {"grid": shaded(cells)}


def read_balance(file):
    if file.flags():
        raise Skipped("a variant")
    token = lambda cell: cell if cell == "." else (cell[2:] if cell[2:] != "-2" else "") + "wb"[int(cell[0])]
    circles = [[token(cell) for cell in row] for row in file.cells()]
    return text("balance", circles), {"line": path(file.rows, file.columns, file.edges())}


def read_battleship(file):
    longest = {"c": 3, "d": 4, "e": 5}.get(file.line())
    if longest is None:
        raise Skipped("another fleet")
    columns, rows, cells = outside(file)
    if any(token not in ".0" for token in sum(cells, [])):
        raise Skipped("given parts of ships")
    return text("battleship", [columns], [rows], blank(file), head=[f"longest = {longest}"]), {"grid": shaded(file.cells())}


def blank(file):
    return [["."] * file.columns for _ in range(file.rows)]


def read_doppelblock(file):
    columns, rows, cells = outside(file)
    given = [[token[1:] if token.startswith("q") else "." for token in row] for row in cells]
    if any(token == "." for token in sum(cells, [])):
        raise Skipped("an incomplete solution")
    return text("doppelblock", [columns], [rows], clues(given)), {"grid": answers(given, cells)}


def read_easyasabc(file):
    letters = file.line()
    grid = file.grid(file.rows + 2, file.columns + 2)
    inner = [row[1:-1] for row in grid]
    sides = [inner[0], inner[-1], [row[0] for row in grid[1:-1]], [row[-1] for row in grid[1:-1]]]
    given = [[token[1:] if token.startswith("q") else "." for token in row] for row in inner[1:-1]]
    return text("easyasabc", clues(sides), clues(given), head=[f"letters = {letters}"]), {"grid": answers(given, inner[1:-1])}


def read_dosufuwa(file):
    areas, cells = file.areas(), file.cells()
    grid = lambda token: [[int(found == token) for found in row] for row in cells]
    return text("dosufuwa", areas), {"grid": grid("1"), "ball": grid("2")}


def read_cells_with_holes(name, around):
    def read(file):
        cells = mapped(clues(file.cells()), {"*": "#"})
        holes = {(row, column) for row in range(file.rows) for column in range(file.columns) if cells[row][column] == "#"}
        walls = file.edges(around)
        if around:
            walls = [row[1:-1] for row in walls[0]], walls[1][1:-1]
        return text(name, cells), {"grid": flood(file.rows, file.columns, walls, holes)}

    return read


def read_juosan(file):
    areas, given = file.areas(), file.cells()
    return text("juosan", areas, clues(given)), {"grid": [[{"1": 1, "2": 0}.get(token, 2) for token in row] for row in file.cells()]}


def read_kazunori(file):
    across = file.grid(file.rows, file.columns - 1)
    down = file.grid(file.rows - 1, file.columns)
    number = lambda token: {"-": "?", "!": "?"}.get(token, token.strip("!|") or ".")
    wall = lambda token: int(token != "." and not token.startswith("!"))
    walls = [[[wall(token) for token in row] for row in rows] for rows in (across, down)]
    areas = flood(file.rows, file.columns, walls)
    found = file.cells()
    links = [[number(token) for token in row] for row in across + down]
    return text("kazunori", areas, links), {"grid": answers(found, found)}


def read_between(name, tokens):
    """Returns a reader of boards with marks between neighbours; `tokens` are the marks in rows and in columns."""

    def read(file):
        across, down = file.grid(file.rows, file.columns - 1), file.grid(file.rows - 1, file.columns)
        found = file.cells()
        return text(name, mapped(across, tokens[0]), mapped(down, tokens[1])), {"grid": answers(found, found)}

    return read


def read_makaro(file):
    areas = mapped(file.areas(), {".": "#"})
    arrows = {"t": "n", "b": "s", "l": "w", "r": "e"}
    given = mapped(file.cells(), arrows)
    return text("makaro", areas, mapped(given, {"#": "."})), {"grid": answers(given, file.cells())}


def read_midloop(file):
    if file.lines and file.lines[0] == "f":
        raise Skipped("a variant")
    dots = blank(file)
    for row in range(2 * file.rows - 1):
        for column, token in enumerate(file.line()):
            if token != ".":
                dots[row // 2][column // 2] = 1 + row % 2 + 2 * (column % 2)
    return text("midloop", dots), {"line": path(file.rows, file.columns, file.edges())}


def read_pipelink(file):
    if file.lines[0] in ("circle", "icebarn", "pipe"):
        file.line()
    pieces = dict(zip("abcdefg", "┼│─└┘┐┌"))
    return text("pipelink", mapped(file.cells(), pieces)), {"line": path(file.rows, file.columns, file.edges())}


def read_snake(file):
    columns, rows, cells = outside(file)
    number = lambda token: int(token) if token.isdigit() else 0
    circles = [[".wb."[number(token) & 3] for token in row] for row in cells]
    return text("snake", circles, [columns], [rows]), {"grid": [[int(number(token) & 12 == 4) for token in row] for row in cells]}


def read_tapa(file):
    cells = file.cells()
    if any("," in token and "-" in token for token in sum(cells, [])):
        raise Skipped("a number that is not known")
    clue = lambda token: "." if token in ".#+" else "?" if token == "-" else "".join(sorted(token.split(",")))
    return text("tapa", [[clue(token) for token in row] for row in cells]), {"grid": shaded(cells)}


def read_given_and_shaded(name):
    """Returns a reader of boards whose clues and shaded cells are in the same rows."""

    def read(file):
        cells = file.cells()
        given = mapped(cells, {"#": ".", "+": "."})
        return text(name, clues(given)), {"grid": shaded(cells)}

    return read


def read_tilepaint(file):
    areas = file.areas()
    columns, rows, _ = outside(file)
    return text("tilepaint", [columns], [rows], areas), {"grid": shaded(file.cells())}


def read_usoone(file):
    areas, given = file.areas(), file.cells()
    return text("usoone", areas, clues(given)), {"grid": [[int(token == "1") for token in row] for row in file.cells()]}


def read_kurochute(file):
    given = file.cells()
    return text("kurochute", clues(given)), {"grid": [[int(token == "1") for token in row] for row in file.cells()]}


def read_view(file):
    given, cells = file.cells(), file.cells()
    numbers = answers(given, cells)
    has = [[int(token.isdigit() or clue != ".") for clue, token in zip(*rows)] for rows in zip(given, cells)]
    return text("view", clues(given)), {"grid": has, "seen": numbers}


def read_yajikazu(file):
    given = []
    for row in file.cells():
        given.append([])
        for token in row:
            direction, _, number = token.partition(",")
            arrow = {"1": "n", "2": "s", "3": "w", "4": "e"}.get(direction, "")
            given[-1].append("." if token == "." else ("?" if number == "-" else number) + arrow)
    return text("yajikazu", given), {"grid": shaded(file.cells())}


def read_castle(file):
    clue, colour = [], []
    for row in file.cells():
        clue.append([])
        colour.append([])
        for token in row:
            direction, number, kind = token.split(",") if token != "." else ("0", "", "0")
            arrow = {"1": "n", "2": "s", "3": "w", "4": "e"}.get(direction, "")
            number = "?" if number in ("-", "-2") else number
            clue[-1].append(number + arrow or ".")
            colour[-1].append(".wb"[int(kind) & 3])
    return text("castle", clue, colour), {"line": path(file.rows, file.columns, file.edges())}


def read_haisu(file):
    places = [int(place) for place in file.line().split()]
    areas, given = flood(file.rows, file.columns, file.edges()), file.cells()
    ends = blank(file)
    ends[places[1] // 2][places[0] // 2], ends[places[3] // 2][places[2] // 2] = "S", "G"
    if file.version >= 1:
        raise Skipped("arrows on borders")
    return text("haisu", areas, clues(given), ends), {"line": path(file.rows, file.columns, file.edges())}


def read_rassi(file):
    walls = areas_or_walls(file, 2)
    holes = file.cells()
    areas = [["#" if hole != "." else area for area, hole in zip(*rows)] for rows in zip(walls, holes)]
    return text("rassi", areas), {"line": path(file.rows, file.columns, file.edges())}


def read_sashigane(file):
    arrows = {"1": "n", "2": "s", "3": "w", "4": "e"}
    cells = [[token[1:] + "o" if token.startswith("o") else arrows.get(token, token) for token in row] for row in file.cells()]
    if "-" in sum(cells, []):
        raise Skipped("an arrow that is not known")
    return text("sashigane", cells), {"grid": flood(file.rows, file.columns, file.edges())}


def dots(file):
    """Takes the dots in cells, on sides and at corners."""
    height, width = file.rows, file.columns
    lines = [(file.line() + "." * (2 * width))[: 2 * width - 1] for _ in range(2 * height - 1)]
    symbols = {"1": "b", "2": "g", "3": "w"}
    token = lambda row, column: symbols.get(lines[row][column], ".")
    cells = [[token(2 * row, 2 * column) for column in range(width)] for row in range(height)]
    across = [[token(2 * row, 2 * column + 1) for column in range(width - 1)] for row in range(height)]
    down = [[token(2 * row + 1, 2 * column) for column in range(width)] for row in range(height - 1)]
    corners = [["."] * (width + 1) for _ in range(height + 1)]
    for row, column in itertools.product(range(height - 1), range(width - 1)):
        corners[row + 1][column + 1] = token(2 * row + 1, 2 * column + 1)
    return cells, across + down, corners


def read_dots(name, symbols={}, lines=False):
    def read(file):
        cells, links, corners = dots(file)
        found = {"grid": shaded(file.cells())}
        if lines:
            found["line"] = path(file.rows, file.columns, file.edges())
        return text(name, mapped(cells, symbols), links, corners), found

    return read


def read_brownies(file):
    tokens = file.cells()
    clue = mapped(tokens, {"#": "o", "-2": "?"})
    circle = [["o" if token == "#" else "." for token in row] for row in tokens]
    return text("brownies", clue), {"grid": chains(file, circle, file.edges())}


def read_yajisoko(file):
    arrows = {"1": "n", "2": "s", "3": "w", "4": "e"}
    box, clue = [], []
    for row in file.cells():
        box.append([])
        clue.append([])
        for token in row:
            direction, _, number = token.partition(",")
            box[-1].append("o" if token == "#" else "#" if number == "-5" else ".")
            number = {"-2": "?", "-4": "∞", "-5": ""}.get(number, number)
            clue[-1].append(number + arrows.get(direction, "") if number else ".")
    circle = [[token if token == "o" else "." for token in row] for row in box]
    return text("yajisoko", box, clue), {"grid": chains(file, circle, file.edges())}


def read_yosenabe(file):
    tokens = file.cells()
    pots = [[token.startswith("i") for token in row] for row in tokens]
    walls = [[left != right for left, right in zip(row, row[1:])] for row in pots], [[a != b for a, b in zip(*rows)] for rows in zip(pots, pots[1:])]
    closed = {(row, column) for row in range(file.rows) for column in range(file.columns) if not pots[row][column]}
    areas = flood(file.rows, file.columns, walls, closed)
    piece = [[re.sub(r"^i?(o(\d+))?.*$", r"\2", token) or "." for token in row] for row in tokens]
    total = [[token[1:] if re.fullmatch(r"i\d+", token) else "?" if token == "i-" else "." for token in row] for row in tokens]
    if any("o-" in token or token in ("o", "io") for token in sum(tokens, [])):
        raise Skipped("a number that is not known")
    labels = [["#" if area == 0 else area for area in row] for row in areas]
    return text("yosenabe", piece, labels, total), {"grid": chains(file, piece, file.edges())}


def read_evolmino(file):
    marks = [[{"#": "#", "0": "o"}.get(token, ".") for token in row] for row in file.cells()]
    across, down = file.edges()
    steps = {}
    for grid, step in (across, (0, 1)), (down, (1, 0)):
        for row, line in enumerate(grid):
            for column, direction in enumerate(line):
                ends = (row, column), (row + step[0], column + step[1])
                if direction:
                    ends = ends if direction == 2 else ends[::-1]
                    if ends[0] in steps or ends[1] in steps.values():
                        raise Skipped("branches of arrows")
                    steps[ends[0]] = ends[1]
    tokens = blank(file)
    for number, start in enumerate(sorted(set(steps) - set(steps.values()))):
        cell = start
        for position in itertools.count(1):
            tokens[cell[0]][cell[1]] = f"{chr(97 + number)}{position}"
            if cell not in steps:
                break
            cell = steps[cell]
    found = [[int(token == "0" or mark == "o") for token, mark in zip(*rows)] for rows in zip(file.cells(), marks)]
    return text("evolmino", marks, tokens), {"grid": found}


def read_goishi(file):
    tokens = file.cells()
    stones = [["." if token == "." else "o" for token in row] for row in tokens]
    return text("goishi", stones), {"grid": mapped(tokens, {".": 0})}


def read_kusabi(file):
    circles = file.cells()
    return text("kusabi", clues(circles)), {"grid": chains(file, circles, file.edges())}


def read_kakuru(name):
    def read(file):
        given = mapped(clues(file.cells()), {"b": "#"})
        return text(name, given), {"grid": mapped(file.cells(), {".": 0})}

    return read


def read_kramma(file):
    circles = mapped(file.cells(), CIRCLES)
    file.grid(file.rows + 1, file.columns + 1)
    across, down = file.edges()
    walls = [[0, *row, 0] for row in across], [[0] * file.columns, *down, [0] * file.columns]
    return text("kramma", circles), {"line": fence(file.rows, file.columns, walls)}


def lengths(file):
    """Takes up to four numbers in each cell, as four blocks."""
    tokens = [[[] if token == "." else token.split(",") for token in row] for row in file.cells()]
    if any(len(token) > 4 for token in sum(tokens, [])):
        raise Skipped("more than four numbers in a cell")
    number = lambda token, at: "." if at >= len(token) else "?" if token[at] in ("-", "-2") else token[at]
    return [[[number(token, at) for token in row] for row in tokens] for at in range(4)]


def read_lohkous(file):
    blocks = lengths(file)
    owner = flood(file.rows, file.columns, file.edges())
    # The areas are counted in the order of their numbers.
    order = [area for areas, numbers in zip(owner, blocks[0]) for area, number in zip(areas, numbers) if number != "."]
    return text("lohkous", *blocks), {"grid": [[order.index(area) + 1 if area in order else 0 for area in row] for row in owner]}


def read_longest(file):
    across, down = file.edges(1)
    given = lambda line: ["x" if side == 1 else "." for side in line]
    links = [given(row[1:-1]) for row in across] + [given(row) for row in down[1:-1]]
    outer = [given(down[0]), given(down[-1]), given([row[0] for row in across]), given([row[-1] for row in across])]
    is_wall = lambda rows: [[int(side > 0) for side in row] for row in rows]
    return text("longest", links, outer), {"wall": fence(file.rows, file.columns, (is_wall(across), is_wall(down)))}


def read_loopsp(file):
    pieces = dict(zip("abcdefg", "┼│─└┘┐┌"))
    tokens = file.cells()
    given = [[pieces.get(token, ".") for token in row] for row in tokens]
    numbers = [["?" if token == "-" else token if token.isdigit() else "." for token in row] for row in tokens]
    return text("loopsp", given, numbers), {"line": path(file.rows, file.columns, file.edges())}


def read_magnets(file):
    if file.flags():
        raise Skipped("a variant")
    walls = file.edges()
    grid = file.grid(file.rows + 2, file.columns + 2)
    number = lambda token: token.lstrip("c") if token.lstrip("c").isdigit() else "."
    columns = [[number(token) for token in grid[at][2:]] for at in range(2)]
    rows = [[number(row[at]) for row in grid[2:]] for at in range(2)]
    cells = [row[2:] for row in grid[2:]]
    closed = {(row, column) for row, line in enumerate(cells) for column, token in enumerate(line) if token == "#"}
    areas = [[area or "#" for area in row] for row in flood(file.rows, file.columns, walls, closed)]
    given = [[{"q1": "+", "q2": "-"}.get(token, ".") for token in row] for row in cells]
    pole = lambda kind: [[int(token in (f"q{kind}", f"a{kind}")) for token in row] for row in cells]
    return text("magnets", *([line] for line in (*columns, *rows)), areas, given), {"grid": pole(1), "negative": pole(2)}


def read_mejilink(file):
    across, down = file.edges(1)
    if 0 in across[0][:1] + across[-1][-1:] + down[0] + down[-1] or any(0 in (row[0], row[-1]) for row in across):
        raise Skipped("a board with a gap in its border")
    inner = [[int(side > 0) for side in row[1:-1]] for row in across], [[int(side > 0) for side in row] for row in down[1:-1]]
    line = [[int(side == 2) for side in row] for row in across], [[int(side == 2) for side in row] for row in down]
    return text("mejilink", flood(file.rows, file.columns, inner)), {"line": fence(file.rows, file.columns, line)}


def read_news(file):
    if file.flags():
        raise Skipped("a variant")
    areas, given, found = file.areas(), file.cells(), file.cells()
    return text("news", areas, clues(given)), {"grid": answers(given, found)}


def read_orbital(file):
    tokens = file.cells()
    circles = [["o" if "#" in token else "." for token in row] for row in tokens]
    numbers = [["?" if "-" in token else token.strip("#") or "." for token in row] for row in tokens]
    return text("orbital", numbers, circles), {"line": path(file.rows, file.columns, file.edges())}


def read_railpool(file):
    blocks = lengths(file)
    holes = file.cells()
    areas = file.areas()
    areas = [["#" if hole == "*" or area == "." else area for area, hole in zip(*both)] for both in zip(areas, holes)]
    return text("railpool", *blocks, areas), {"line": path(file.rows, file.columns, file.edges())}


def read_remlen(file):
    walls = file.edges()
    tokens = file.cells()
    closed = {(row, column) for row in range(file.rows) for column in range(file.columns) if tokens[row][column] in "*#"}
    areas = flood(file.rows, file.columns, walls, closed)
    labels = [["#" if area == 0 else area for area in row] for row in areas]
    # A line can have an arrow behind it, which is not part of the solution.
    file.lines = [re.sub("[lrud]", "", line) for line in file.lines]
    given = [[token if token.isdigit() else "." for token in row] for row in tokens]
    return text("remlen", labels, given), {"line": path(file.rows, file.columns, file.edges())}


def read_slovak(file):
    numbers = file.line()
    given = []
    for row in file.cells():
        given.append([])
        for token in row:
            total, _, count = token.partition(",")
            letter = "." if token == "." else {"1": "a", "2": "b", "3": "c", "4": "d"}.get(count, "")
            total = "" if total in ("-", "-2", ".") else total
            given[-1].append("." if token == "." else total + letter or "x")
    return text("slovak", given, head=[f"numbers = {numbers}"]), {"grid": [[int(token) if token.isdigit() else 0 for token in row] for row in file.cells()]}


BANKS = {"t": ["14u", "23bg", "22u", "23f", "23eg"]}


def read_statuepark(file):
    count = file.line()
    pieces = BANKS[count] if count in BANKS else [file.line() for _ in range(int(count))] if count.isdigit() else None
    if pieces is None:
        raise Skipped("shapes that are not known")
    labels = [["#"] * file.columns for _ in range(file.rows)]
    for number, piece in enumerate(pieces, 1):
        width, height = int(piece[0], 36), int(piece[1], 36)
        bits = "".join(f"{int(letter, 32):05b}" for letter in piece[2:]).ljust(width * height, "0")
        squares = [(at // width, at % width) for at in range(width * height) if bits[at] == "1"]
        for row, column in itertools.product(range(file.rows), range(file.columns)):
            cells = [(row + y, column + x) for y, x in squares]
            if all(y < file.rows and x < file.columns and labels[y][x] == "#" for y, x in cells):
                break
        else:
            raise Skipped("no room for the shapes")
        for y, x in cells:
            labels[y][x] = number
    circles = mapped(file.cells(), CIRCLES)
    return text("statuepark", circles, labels), {"grid": shaded(file.cells())}


def read_sumiwake(file):
    areas, given = file.areas(), file.grid(file.rows + 1, file.columns + 1)
    return text("sumiwake", areas, clues(given)), {"grid": shaded(file.cells())}


def read_tateyoko(file):
    tokens = file.cells()
    black = {"a": "1x", "b": "2x", "c": "3x", "d": "4x", "e": "0x", "f": "x"}
    clue = [["?" if token == "-" else black.get(token, token) for token in row] for row in tokens]
    bars = file.cells()
    if any(bar == "0" for bar in sum(bars, [])):
        raise Skipped("cells without a line")
    across = [[int(bar == "2") for bar in row] for row in bars]
    return text("tateyoko", clue), {"grid": across}


def read_twinarea(file):
    areas = flood(file.rows, file.columns, file.edges())
    marks = file.cells()
    gray = [[token != "." for token in row] for row in marks]
    walls = [[left != right for left, right in zip(row, row[1:])] for row in gray], [[a != b for a, b in zip(*rows)] for rows in zip(gray, gray[1:])]
    closed = {(row, column) for row in range(file.rows) for column in range(file.columns) if not gray[row][column]}
    groups = [["#" if area == 0 else area for area in row] for row in flood(file.rows, file.columns, walls, closed)]
    given = [["." if token in ".-" else "?" if token == "-2" else token.lstrip("-") for token in row] for row in marks]
    found = answers(given, file.cells())
    return text("twinarea", areas, groups, given), {"grid": [[int(number > 0) for number in row] for row in found]}


def read_wafusuma(file):
    number = lambda grid: [["?" if token in ("-", "-2") else token for token in row] for row in grid]
    across, down = file.grid(file.rows, file.columns - 1), file.grid(file.rows - 1, file.columns)
    given = file.cells()
    found = file.cells()
    return text("wafusuma", number(across), number(down), number(given)), {"grid": answers(given, found)}


def read_walllogic(file):
    given = [["?" if token == "-" else "#" if token in ("+", "*") else token for token in row] for row in file.cells()]
    ways = {"1": 1, "2": 2, "3": 3, "4": 4}
    return text("walllogic", given), {"grid": [[ways.get(token, 0) for token in row] for row in file.cells()]}


def read_kakurasu(file):
    columns, rows, cells = outside(file)
    return text("kakurasu", [columns], [rows]), {"grid": shaded(cells)}

CIRCLES = {"1": "w", "2": "b"}
# What the files of the other puzzle types consist of.
SECTIONS = {
    "aqre": "flags rooms1 clues shaded",
    "ayeheya": "rooms1 clues shaded",
    "canal": "clues shaded",
    "cave": "clues shaded",
    "cbanana": "clues shaded",
    "chocona": "rooms clues shaded",
    "cojun": "walls clues numbers",
    "context": "clues shaded",
    "detour": "rooms2 clues lines",
    "doubleback": "rooms2 skip lines",
    "factors": "walls clues found",
    "geradeweg": "flags clues lines",
    "hakoiri": "rooms clues numbers",
    "hanare": "walls clues marks",
    "koburin": "flags clues shaded lines",
    "lookair": "clues shaded",
    "mannequin": "walls clues shaded",
    "maxi": "rooms2 clues lines",
    "meander": "walls clues numbers",
    "mines": "clues shaded",
    "mochikoro": "clues shaded",
    "nagenawa": "rooms clues lines",
    "nanro": "rooms1 clues numbers",
    "nuribou": "clues shaded",
    "nurimisaki": "clues shaded",
    "oneroom": "rooms1 clues shaded",
    "paintarea": "rooms clues shaded",
    "putteria": "walls clues marks",
    "shimaguni": "rooms clues shaded",
    "stostone": "rooms clues shaded",
    "sukoro": "clues numbers",
    "sukororoom": "walls clues numbers",
    "toichika": "rooms clues numbers",
    "cityspace": "clues shaded",
    "cocktail": "rooms clues shaded",
    "dominion": "clues shaded",
    "disco": "walls shaded",
    "fillmat": "clues pieces",
    "heyablock": "rooms clues shaded",
    "turnaround": "flags clues lines",
    "usotatami": "clues pieces",
    "lither": "clues skip1 fence",
    "loute": "clues pieces",
    "marutaring": "rooms clues shaded",
    "norinuri": "clues shaded",
    "nothing": "rooms2 skip lines",
    "nuriloop": "clues skip lines",
    "nuritwin": "rooms clues shaded",
    "onsen": "rooms2 clues lines",
    "retsurin": "flags clues shaded lines",
    "sashikazune": "clues pieces",
    "simplegako": "clues numbers",
    "smullyan": "clues shaded",
    "squarejam": "clues pieces",
    "swslither": "flags clues skip1 fence",
    "teri": "clues shaded",
    "tslither": "flags clues skip fence",
    "vslither": "flags clues skip fence",
}
READERS = {
    "country": read_country,
    "creek": read_creek,
    "fillomino": read_fillomino,
    "tentaisho": read_tentaisho,
    "gokigen": read_gokigen,
    "ripple": read_rooms_with_numbers("hakyuu"),
    "suguru": read_rooms_with_numbers("suguru"),
    "hashikake": read_hashi,
    "heyawake": read_heyawake,
    "hitori": read_shading("hitori"),
    "kakuro": read_kakuro,
    "kurodoko": read_shading("kuromasu"),
    "lits": read_areas("lits"),
    "mashu": read_mashu,
    "nonogram": read_nonogram,
    "norinori": read_areas("norinori"),
    "shikaku": read_shikaku,
    "simpleloop": read_simpleloop,
    "skyscrapers": read_skyscrapers,
    "slither": read_slither,
    "starbattle": read_starbattle,
    "sudoku": read_sudoku,
    "tents": read_tents,
    "yajilin": read_yajilin,
    "yinyang": read_yinyang,
}
# The puzzle types for whose codes RULES has rules.
WITH_RULES = set(READERS)
READERS |= {name: plain_reader(name, sections) for name, sections in SECTIONS.items()}
READERS |= {
    "aquarium": read_aquarium,
    "balance": read_balance,
    "battleship": read_battleship,
    "bonsan": read_moves("bonsan", False),
    "doppelblock": read_doppelblock,
    "dosufuwa": read_dosufuwa,
    "easyasabc": read_easyasabc,
    "fivecells": read_cells_with_holes("fivecells", 1),
    "fourcells": read_cells_with_holes("fourcells", 0),
    "heyabon": read_moves("heyabon", True),
    "juosan": read_juosan,
    "kazunori": read_kazunori,
    "kropki": read_between("kropki", [{"0": ".", "1": "w", "2": "b"}] * 2),
    "kurochute": read_kurochute,
    "makaro": read_makaro,
    "midloop": read_midloop,
    "minarism": read_between("minarism", [{"0": ".", "a": "<", "b": ">", ".": "?"}, {"0": ".", "a": "^", "b": "v", ".": "?"}]),
    "nawabari": read_cells_with_holes("nawabari", 1),
    "pipelink": read_pipelink,
    "snake": read_snake,
    "tapa": read_tapa,
    "tasquare": read_given_and_shaded("tasquare"),
    "tatamibari": plain_reader("tatamibari", "clues pieces", map={"a": "|", "b": "-", "c": "+"}),
    "tilepaint": read_tilepaint,
    "usoone": read_usoone,
    "view": read_view,
    "wblink": plain_reader("wblink", "clues lines", map=CIRCLES),
    "castle": read_castle,
    "circlesquare": plain_reader("circlesquare", "clues shaded", map=CIRCLES),
    "dotchi": plain_reader("dotchi", "rooms2 clues lines", map=CIRCLES),
    "dotchi2": plain_reader("dotchi2", "rooms2 clues lines", map=CIRCLES),
    "haisu": read_haisu,
    "hamlepaths": read_moves("hamlepaths", None),
    "moonsun": plain_reader("moonsun", "rooms2 clues lines", map=CIRCLES),
    "rassi": read_rassi,
    "sashigane": read_sashigane,
    "satogaeri": read_moves("satogaeri", True),
    "yajilin-regions": plain_reader("yajilin_regions", "flags rooms clues shaded lines"),
    "yajikazu": read_yajikazu,
    "alter": plain_reader("alter", "rooms clues numbers"),
    "bosnianroad": plain_reader("bosnianroad", "clues shaded"),
    "box": read_kakurasu,
    "brownies": read_brownies,
    "evolmino": read_evolmino,
    "goishi": read_goishi,
    "kakuru": read_kakuru("kakuru"),
    "kramma": read_kramma,
    "kurarin": read_dots("kurarin", lines=True),
    "kusabi": read_kusabi,
    "lohkous": read_lohkous,
    "longest": read_longest,
    "loopsp": read_loopsp,
    "magnets": read_magnets,
    "mejilink": read_mejilink,
    "news": read_news,
    "orbital": read_orbital,
    "railpool": read_railpool,
    "remlen": read_remlen,
    "sananko": read_kakuru("sananko"),
    "sansaroad": read_dots("sansaroad", {"b": "t"}),
    "slovak": read_slovak,
    "statuepark": read_statuepark,
    "sumiwake": read_sumiwake,
    "tateyoko": read_tateyoko,
    "tetrochaink": read_dots("tetrochaink"),
    "twinarea": read_twinarea,
    "uturns": plain_reader("uturns", "clues lines", map={"1": "b", "2": "o", "3": "w"}),
    "wafusuma": read_wafusuma,
    "walllogic": read_walllogic,
    "yajisoko": read_yajisoko,
    "yosenabe": read_yosenabe,
}
# The names of puzzle types in addresses.
NAMES = {*READERS, "hashi", "masyu", "slitherlink", "galaxies"}
ENTRY = re.compile(r'\[\s*(null|"\w+")\s*,\s*("pzprv3(?:[^"]|"\s*\+\s*")*")\s*(?:,\s*\{[^}]*\}\s*)?\]')


# The numbers of the codes of addresses of tapa.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TAPA = {}
for count, first, base in (2, 360, 6), (3, 396, 4), (4, 460, 2):
    for code in range(base**count):
        both = divmod(first + code, 36)
        TAPA[DIGITS[both[0]] + DIGITS[both[1]]] = "".join(str(code // base**at % base) for at in range(count))


def plain(name, body):
    """Returns the body of an address without differences that have no meaning."""
    size, _, body = body.rstrip("/").rpartition("/")
    if name == "kakuro":
        # Both are no sum.
        body = body.replace("0", "-")
    elif name in ("tentaisho", "midloop"):
        # Odd digits are black stars, which are not distinguished here.
        body = re.sub("[13579bdf]", lambda odd: f"{int(odd[0], 16) - 1:x}", body)
    elif name == "tapa":
        # The numbers of a clue have no order.
        several = lambda code: "".join(sorted(TAPA.get(code[0], code[0])))
        body = re.sub("[a-f].", several, body)
    elif name in ("slither", "creek", "gokigen"):
        # A digit contains the number of empty cells that follow it, which do not matter at the end.
        body = re.sub("[5-9a-e]$", lambda last: str(int(last[0], 16) % 5), body)
    return f"{size}/{body}"


class Tests:
    def __init__(self, gordian, verbose):
        self.gordian = gordian
        self.verbose = verbose
        self.counts = {}
        self.failures = 0

    def run(self, *arguments, text=""):
        command = [self.gordian, *arguments]
        result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
        return result.returncode, result.stdout.strip(), result.stderr.strip()

    def count(self, what, good, message, key=None):
        done = self.counts.setdefault(what, [0, 0, 0])
        if good:
            done[0] += 1
            if self.verbose:
                print(f"ok: {message}")
        elif key in DIFFERENCES:
            done[1] += 1
            print(f"known difference: {message} ({DIFFERENCES[key]})")
        else:
            done[2] += 1
            self.failures += 1
            print(f"FAILED: {message}")

    def address(self, name, body):
        code, board, error = self.run("show", "-", text=f"https://puzz.link/p?{name}/{body}")
        first = error.split("\n")[0]
        if code and "select a variant" in error:
            self.count("variants refused", True, f"{name}/{body}")
            return False
        self.count("addresses read", code == 0, f"{name}/{body}: {first}", name + " read")
        if code == 0:
            code, written, error = self.run("show", "-", "--url", text=f"https://puzz.link/p?{name}/{body}")
            same = plain(name, written.rsplit("?", 1)[-1].split("/", 1)[-1]) == plain(name, body)
            self.count("addresses written", same, f"{name}/{body}: {written or error}", name + " written")
        return code == 0

    def check(self, name, number, code, board):
        try:
            board, solution = READERS[name](File(board))
        except Skipped as skipped:
            if self.verbose:
                print(f"left out: {name} {number} {code}: {skipped}")
            return
        status, output, error = self.checked(board, solution)
        rule = (output or error).split("\n")[0]
        where = f"{name} {number} {code}: {rule}"
        key = f"{name} {code}"
        if code is None:
            self.count("solved boards accepted", status == 0, where, key)
            return
        self.count("other boards refused", status == 1, where, key)
        meant = RULES.get(key, RULES.get(code))
        if status != 1 or name not in WITH_RULES or meant == VALUES and any(value in rule for value in VALUES):
            return
        # A sheet with the rule that is meant and no other one.
        meant = (meant,) if isinstance(meant, str) else meant
        puzzle = board.split()[0]
        sheet = [""]
        for line in self.run("puzzle", puzzle, "--rules")[1].split("\n"):
            sheet[-1] += "\n" + line if line.startswith(" ") else ""
            if not line.startswith(" "):
                sheet.append(line)
        is_meant = lambda part: any(f'rule "{rule}"' in part for rule in meant)
        kept = [part for part in sheet if not part.startswith(("rule", "implied")) or is_meant(part)]
        status, output, error = self.checked(board, solution, "\n".join(kept))
        said = (output or error).split("\n")[0]
        same = status == 1 and any(words in said for words in (*meant, *VALUES))
        self.count("with a rule of the same meaning alone", same, f"{where}; alone: {meant}: {said}", key)

    def checked(self, board, solution, sheet=None):
        """Checks a solution, with the rules of a sheet if there is one."""
        with tempfile.TemporaryDirectory() as folder:
            path, rules = Path(folder) / "board.txt", Path(folder) / "rules.sheet"
            path.write_text(board)
            if sheet is not None:
                rules.write_text(sheet)
            options = [] if sheet is None else ["--rules", str(rules)]
            return self.run("check", str(path), "-", *options, text=json.dumps(solution))


    def cspuz(self, folder, rival):
        """Checks the addresses in the tests of cspuz_core, and compares the answers with those of its program."""
        files = [*(folder / "cspuz_rs_puzzles/src/puzzles").glob("*.rs"), *(folder / "cspuz_solver_backend/src/puzzle").glob("*.rs")]
        found = (re.findall(r'"(https?://[^"?]*\?[^"]+)"', file.read_text()) for file in sorted(files))
        for address in dict.fromkeys(itertools.chain(*found)):
            name, _, body = address.split("?", 1)[1].partition("/")
            code, output, error = self.run("solve", "-", "--unique", "--json", "--timeout", "20", text=address)
            result = json.loads(output) if output else {}
            if result.get("status", "error") in ("error", "stopped"):
                print(f"left out: {address}: {result.get('error') or error.split(chr(10))[0] or 'not solved in 20 s'}")
                continue
            if name in NAMES and self.address(name, body):
                self.count("one solution", result.get("unique") is True, address, f"{name} unique")
            if rival:
                self.same_answer(rival, address, name, result)

    def same_answer(self, rival, address, name, result):
        """Compares the answer to a board with that of cspuz_core: uniqueness, and the value of each place.

        Values agree if cspuz_core draws different values differently."""
        output = subprocess.run([rival, address], capture_output=True, text=True, timeout=120)
        counts = {"No Answer": None, "Unique": True, "Not unique": False}
        status = output.stdout.strip().rpartition(": ")[2]
        if status not in counts:
            print(f"left out: {address}: run_solver: {output.stderr.strip()}")
            return
        unique = counts[status]
        known = result["unique"] if result["status"] == "solved" else None
        self.count("same number of solutions", known == unique, f"{address}: {known}, not {unique}", f"{name} answer")
        if not (known and unique):
            return
        drawn = json.loads(subprocess.run([rival, "--json", address], capture_output=True, text=True, timeout=120).stdout)
        items = {}
        for item in drawn["data"]:
            items.setdefault((item["y"], item["x"]), set()).add((item["color"], json.dumps(item["item"])))
        rules = self.run("puzzle", result["puzzle"], "--rules")[1]
        statement = re.search("^solution (.*)$", rules, re.MULTILINE)
        shown = [part.split() for part in statement.group(1).split(",")] if statement else []
        styles = {variable: style for variable, style, *_ in shown}
        # The field `grid` is a variable whose values fill the board.
        styles["grid"] = next((style for variable, style in styles.items() if variable not in result["solution"]), "numbers")
        for field, values in result["solution"].items():
            style = styles[field]
            places = bridges(values, items) if style == "bridges" else positions(style, values)
            # Numbers outside of the board shift its cells, and a line that joins corners is drawn there.
            shifts = itertools.product((0, -1, 2), repeat=2)
            differences = min((differing(places, items, shift) for shift in shifts), key=len)
            message = f"{address}: {field} at {differences[:3]}"
            self.count("same value at each place", not differences, message, f"{name} answer")


def positions(style, values):
    """Returns the value at each place of a solution's field, by the row and the column of the place: odd for cells."""
    rows = enumerate(values)
    cells = {(2 * y + 1, 2 * x + 1): value for y, row in rows for x, value in enumerate(row)}
    if style not in ("areas", "pieces", "path", "border"):
        return cells
    places = {}
    for (y, x), value in cells.items():
        for step, bit in ((0, 2), 2), ((2, 0), 4):
            other = cells.get((y + step[0], x + step[1]))
            middle = (y + step[0] // 2, x + step[1] // 2)
            if style == "border" and other is not None:
                places[middle[0] - 1, middle[1] - 1] = bool(value & bit)
            elif style == "path" and other is not None:
                places[middle] = bool(value & bit)
            elif style in ("areas", "pieces") and value and other:
                places[middle] = value != other
    return places


def bridges(values, items):
    """Returns the numbers of bridges in the list `values`, by the place beside the island above or on the left of them."""
    islands = sorted(place for place, drawn in items.items() if any("ircle" in item for _, item in drawn))
    places, rest = {}, iter(values)
    for y, x in islands:
        if any(other[0] == y and other[1] > x for other in islands):
            places[y, x + 1] = next(rest)
        if any(other[1] == x and other[0] > y for other in islands):
            places[y + 1, x] = next(rest)
    return places


def differing(places, items, shift):
    """Returns the places at which the same is drawn as at another place with a different value."""
    meaning = {}
    drawn = {(y, x): frozenset(items.get((y + shift[0], x + shift[1]), ())) for y, x in places}
    return [place for place, value in places.items() if meaning.setdefault(drawn[place], value) != value]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pzprjs", type=Path)
    parser.add_argument("cspuz", type=Path, nargs="?")
    parser.add_argument("--gordian", default="gordian")
    parser.add_argument("--beside", metavar="RUN_SOLVER", help="compare the answers with this program of cspuz_core")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    tests = Tests(options.gordian, options.verbose)
    for name in READERS:
        script = (options.pzprjs / "test" / "script" / f"{name}.js").read_text()
        script = re.sub(r"^\s*//.*$", "", script, flags=re.MULTILINE)
        tests.address(name, re.search(r'url:\s*"([^"]*)"', script).group(1))
        for number, entry in enumerate(ENTRY.finditer(script), 1):
            code = None if entry.group(1) == "null" else entry.group(1).strip('"')
            board = "".join(re.findall(r'"([^"]*)"', entry.group(2)))
            tests.check(name, number, code, board)
    if options.cspuz:
        tests.cspuz(options.cspuz, options.beside)
    for what, (good, known, failed) in tests.counts.items():
        print(f"{what}: {good}, known differences: {known}, failed: {failed}")
    sys.exit(tests.failures > 0)


if __name__ == "__main__":
    main()
