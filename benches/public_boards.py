#!/usr/bin/env python3
"""Solves public boards of the puzzle types that are stated by sheets, and checks their published solutions.

    public_boards.py [--gordian GORDIAN] [--drawn N] [--largest N] [--type TYPE] [--out FILE] [--beside RUN_SOLVER] DATASET

DATASET is a checkout of github.com/SmilingWayne/puzzlekit-dataset, or a file whose text contains puzz.link addresses. Each board of
the dataset is converted to gordian's text. It is solved with `solve --unique` within 10 s of processor time; `check` checks the
published solution. --drawn and --largest limit the number of boards of each type. The script prints a row for each type, and
every board with another outcome than a solution that is unique and published. The boards and solutions are only measured, and not
kept.

With --beside, gordian and cspuz_core's program `run_solver` compute the backbone of each board that has an address, in turn, and the
script prints the sums of their processor times.
"""

import argparse
import itertools
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 10
# Rules of the sheets that the boards of a type do not have.
LEFT_OUT = {"Binairo": ("different rows", "different columns")}
# Types whose areas cover the board.
WHOLE = ("countryroad", "heyawake")
# The parts of boards, in the order of the sheets.
SECTIONS = ("columns", "rows", "areas", "corners", "clues", "cells", "given")
BITS = {"n": 1, "e": 2, "s": 4, "w": 8}
ADDRESS = re.compile(r"""(https?://[^\s"'<>()?]*\?([\w-]+)/[^\s"'<>()]*\d[^\s"'<>()]*)""")


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
            _, self.solution = rows_of(entry["solution"])

    def take(self, rows=None, columns=None):
        """Takes the next rows of the board."""
        rows, columns = rows or self.height, columns or self.width
        taken, self.rows = self.rows[:rows], self.rows[rows:]
        if len(taken) != rows or any(len(row) != columns for row in taken):
            raise Skipped("rows are missing")
        return taken

    def section(self, name):
        """Takes a part of the board: numbers for columns or rows, areas, or what is given in cells or at corners."""
        sizes = {"columns": (1, self.width), "rows": (1, self.height), "corners": (self.height + 1, self.width + 1)}
        if name == "given" and not self.rows:
            return [["."] * self.width] * self.height
        return mapped(self.take(*sizes.get(name, ())), {"areas": {"@": "#"}, "cells": {}}.get(name, {"-": "."}))

    def found(self, **fields):
        """Returns the fields of the solution, each by the function that makes it of the grid of tokens."""
        if self.solution is None:
            return None
        rows = self.solution
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise Skipped("cells of the solution are missing")
        return {name: value(rows) for name, value in fields.items()}


def mapped(grid, tokens):
    return [[tokens.get(token, token) for token in row] for row in grid]


def text(name, *blocks, head=()):
    lines = [name, *head]
    for block in blocks:
        lines += [" ".join(str(token) for token in row) for row in block]
    return "\n".join(lines) + "\n"


def each(value):
    return lambda grid: [[value(token) for token in row] for row in grid]


def one_of(**values):
    """Returns the reader of a grid with these tokens, and 0 for all others."""
    return each(lambda token: values.get(token, 0))


def is_shaded(token):
    if token not in "-xo":
        raise Skipped("damaged solution")
    return int(token != "-")


def sides_of(token):
    if set(token) - set(BITS) - {"-", "x"}:
        raise Skipped("damaged solution")
    return sum(BITS.get(letter, 0) for letter in token)


shaded = each(is_shaded)
filled = each(lambda token: int(token != "-"))
numbers = each(lambda token: 0 if token in ("-", "x") else int(token))
sides = each(sides_of)


def pieces(grid):
    """Numbers areas in the order of their first cells; `-` belongs to none."""
    order = {"-": 0}
    return [[order.setdefault(token, len(order)) for token in row] for row in grid]


WAYS = ((1, -1, 0), (2, 0, 1), (4, 1, 0), (8, 0, -1))


def joined(grid, together):
    """Returns the sides through which each cell is joined with a neighbour, as a sum of 1, 2, 4 and 8."""

    def is_joined(row, column, down, right):
        y, x = row + down, column + right
        return 0 <= y < len(grid) and 0 <= x < len(grid[0]) and together(grid[row][column], grid[y][x])

    cells = lambda row: range(len(grid[row]))
    return [[sum(bit for bit, *way in WAYS if is_joined(row, column, *way)) for column in cells(row)] for row in range(len(grid))]


def groups(lines):
    """Returns the sets of cells that lines join."""
    group = {(row, column): [(row, column)] for row in range(len(lines)) for column in range(len(lines[row]))}
    for (row, column), cells in list(group.items()):
        for bit, down, right in WAYS:
            other = group.get((row + down, column + right))
            if lines[row][column] & bit and other is not None and other is not group[row, column]:
                group[row, column].extend(other)
                group.update((cell, group[row, column]) for cell in other)
    return list({id(cells): cells for cells in group.values()}.values())


def outline(grid):
    """Returns the sides of corners that lie between shaded and other cells, as a sum of 1, 2, 4 and 8."""
    inside = shaded(grid)
    height, width = len(grid), len(grid[0])
    is_inside = lambda row, column: 0 <= row < height and 0 <= column < width and inside[row][column]
    lines = [[0] * (width + 1) for _ in range(height + 1)]
    for row in range(height + 1):
        for column in range(width + 1):
            if is_inside(row - 1, column) != is_inside(row, column):
                lines[row][column] += 2
                lines[row][column + 1] += 8
            if is_inside(row, column - 1) != is_inside(row, column):
                lines[row][column] += 4
                lines[row + 1][column] += 1
    return lines


def plain(name, sections, tokens={}, head="", **solution):
    """Returns a reader of boards that consist of the given sections.

    `tokens` are words that gordian writes in another way. `head` names the number in the first line of the board.
    `solution` are the fields of the solution, each with the function that makes it of the grid of tokens.
    """

    def read(board):
        blocks = {section: board.section(section) for section in sections.split()}
        if name in WHOLE and any("#" in row for row in blocks["areas"]):
            raise Skipped("cells that do not belong to the board")
        blocks = [mapped(blocks[section], {} if section == "areas" else tokens) for section in SECTIONS if section in blocks]
        number = [f"{head} = {board.more[0]}"] if head else []
        return text(name, *blocks, head=number), board.found(**solution)

    return read


def with_parts(pattern, *blocks):
    """Returns a function that takes the clues of a board apart: the tokens of each block consist of these groups of the pattern."""

    def parts(board):
        grid = [[re.fullmatch(pattern, token) for token in row] for row in board.section("clues")]
        if any(match is None for row in grid for match in row):
            raise Skipped("a clue of another form")
        return [[["".join(match[part] or "" for part in block) or "." for match in row] for row in grid] for block in blocks]

    return parts


def read_battleship(board):
    fleet = [int(count) for count in board.more if count != "0"]
    if fleet != list(range(len(fleet), 0, -1)):
        raise Skipped("another fleet")
    board.more = [len(fleet)]
    return plain("battleship", "columns rows clues", head="longest", grid=filled)(board)


def read_castle(board):
    numbers, colours = with_parts(r"\.|(\d*)([nesw]?)([xo]?)", (1, 2), (3,))(board)
    return text("castle", numbers, mapped(colours, {"x": "b", "o": "w"})), board.found(line=sides)


def read_circles(name):
    circles = with_parts(r"\.|(\d*)([wb])(\d*)", (1, 3, 2))
    return lambda board: (text(name, *circles(board)), board.found(line=sides))


def read_easyasabc(board):
    letters = {chr(ord("a") + number): number + 1 for number in range(26)}
    views = board.section("columns") + board.section("columns") + board.section("rows") + board.section("rows")
    blocks = [mapped(block, letters) for block in (views, board.section("clues"))]
    return text("easyasabc", *blocks, head=[f"letters = {letters[board.more[0]]}"]), board.found(grid=one_of(**letters))


def read_foseruzu(board):
    # The sizes of areas are known from the solution only.
    areas = len({area for row in board.solution or [] for area in row})
    size = board.height * board.width / areas if areas else 0
    if size not in (4, 5):
        raise Skipped("areas of another size")
    return plain("fourcells" if size == 4 else "fivecells", "clues", grid=pieces)(board)


def read_galaxies(board):
    stars = mapped(board.section("clues"), {"0": 1, "1": 3, "2": 2, "3": 4})

    def owners(areas):
        count = itertools.count(1)
        owner = {area: next(count) for row in zip(areas, stars) for area, star in zip(*row) if star != "."}
        return [[owner.get(area, 0) for area in row] for row in areas]

    return text("galaxies", stars), board.found(grid=owners)


def read_hashi(board):
    islands = board.section("clues")
    bridges = {"1": (0, 1), "2": (0, 2), "a": (1, 1), "b": (1, 2)}

    def built(drawn):
        for row, column in ((row, column) for row in range(board.height) for column in range(board.width)):
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
                        yield kinds.pop()[1] if len(kinds) == 1 and next(iter(kinds))[0] == axis else 0
                        break
                    between.append(drawn[y][x])
                    y, x = y + down, x + right

    return text("hashi", islands), board.found(built=lambda drawn: list(built(drawn)))


def read_kakuro(board):
    def cell(token):
        if token == "0":
            return "."
        down, _, right = token.replace("-", "").partition(",")
        return down + "\\" + right

    cells = [[cell(token) for token in row] for row in board.take()]
    return text("kakuro", cells), board.found(grid=numbers)


def read_kenken(board):
    clues, signs = with_parts(r"\.|(\d+)([-+*x/]?)", (1,), (2,))(board)
    return text("kenken", board.section("areas"), clues, mapped(signs, {"*": "x"})), board.found(grid=numbers)


def read_makaro(board):
    cells, areas = board.section("clues"), board.section("areas")
    areas = [["#" if cell in ("x", *BITS) else area for cell, area in zip(*row)] for row in zip(cells, areas)]
    return text("makaro", areas, mapped(cells, {"x": "."})), board.found(grid=numbers)


def read_magnets(board):
    outside = [board.section(name) for name in ("columns", "columns", "rows", "rows")]
    given = board.take() if len(board.rows) > board.height else [["."] * board.width] * board.height
    if any(set(row) - set(".+-") for row in given):
        raise Skipped("given empty cells")
    poles = {"grid": one_of(**{"+": 1}), "negative": one_of(**{"-": 1})}
    return text("magnets", *outside, board.section("areas"), given), board.found(**poles)


def read_mines(board):
    number = f'rule "number of mines": count(c in cells: mine(c)) = {board.more[0]}'
    return *plain("mines", "clues", grid=one_of(x=1))(board), number


def read_nonogram(board):
    lists = [row or ["0"] for row in board.rows]
    if len(lists) != board.width + board.height:
        raise Skipped("rows are missing")
    return text(f"nonogram size={board.height}x{board.width}", lists), board.found(grid=shaded)


def read_numberlink(board):
    clues = board.section("clues")

    def paths(grid):
        found = [[0] * board.width for _ in range(board.height)]
        for cells in groups(sides(grid)):
            number = next((clues[row][column] for row, column in cells if clues[row][column] != "."), "0")
            for row, column in cells:
                found[row][column] = int(number)
        return found

    found = board.found(grid=paths, lines=sides)
    # Only the published solution tells whether cells can stay empty, and whether a path can touch itself.
    cells, touch = "all", "no"
    if found:
        numbers, lines = found["grid"], found["lines"]
        cells = "any" if any(0 in row for row in numbers) else cells
        touching = joined(numbers, lambda a, b: a == b != 0)
        touch = "yes" if touching != lines else touch
    if touch == "no" and found:
        del found["lines"]
    return text(f"numberlink cells={cells} touch={touch}", clues), found


def read_nurikabe(board):
    def islands(grid):
        found = [[0] * board.width for _ in range(board.height)]
        for cells in groups(joined(grid, lambda a, b: a == b == "-")):
            for row, column in cells:
                found[row][column] = len(cells) if grid[row][column] == "-" else 0
        return found

    return plain("nurikabe", "clues", grid=islands)(board)


def read_skyscrapers(board):
    if "D" in board.more:
        raise Skipped("diagonals")
    if int(board.more[0]) != board.width:
        raise Skipped("with empty cells")
    views = [board.section(name)[0] for name in ("columns", "columns", "rows", "rows")]
    return text("skyscrapers", views, board.section("clues")), board.found(grid=numbers)


def read_slitherlink(board):
    return plain("slitherlink", "clues", line=outline)(board)


def read_snake(board):
    columns, rows, given = (board.section(name) for name in ("columns", "rows", "clues"))
    return text("snake", mapped(given, {"x": "b"}), columns, rows), board.found(grid=shaded)


def read_str8ts(board):
    given = with_parts(r"\.|(\d*)(x?)", (1, 2))(board)[0]
    given = [[token.replace("x", "b") for token in row] for row in given]
    return text("str8ts", given), board.found(grid=numbers)


def read_tenner(board):
    board.height -= 1
    given, total = board.section("clues"), board.section("columns")
    board.solution = board.solution and board.solution[:-1]
    return text("tenner", total, given), board.found(grid=numbers)


def read_thermometers(board):
    columns, rows = board.section("columns"), board.section("rows")
    name = lambda number: (chr(ord("a") + number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)
    parts = [[token.split(".") for token in row] for row in board.take()]
    chains = [[name(int(thermometer)) + position for thermometer, position in row] for row in parts]
    return text("thermometers", columns, rows, chains), board.found(grid=shaded)


def read_yajilin(board):
    clues = mapped(board.section("clues"), {"x": "?"})
    if any("@" in row for row in clues):
        raise Skipped("a cell with @")
    blank = lambda grid: [[int(token == "x" and clue == ".") for token, clue in zip(*row)] for row in zip(grid, clues)]
    return text("yajilin", clues), board.found(grid=blank, line=sides)


def owners(is_root):
    """Returns the reader of areas that are numbered by the order of their roots, the cells with these tokens in the clues."""

    def read(clues):
        def owned(areas):
            roots = ((row, column) for row, line in enumerate(clues) for column, token in enumerate(line) if is_root(token))
            owner = {}
            for number, (row, column) in enumerate(roots, 1):
                owner.setdefault(areas[row][column], number)
            return [[owner.get(area, 0) for area in line] for line in areas]

        return owned

    return read


def with_roots(name, is_root, tokens={}):
    """Returns a reader of boards with areas that belong to a cell of the clues."""

    def read(board):
        clues = mapped(board.section("clues"), tokens)
        return text(name, clues), board.found(grid=owners(is_root)(clues))

    return read


def mixed_sudoku(*options, **blocks):
    """Returns the text of a Sudoku with these optional blocks."""
    head = " ".join(["mixedsudoku", *options])
    return "\n".join([head, *(line for name, rows in blocks.items() for line in (name + ":", *map(" ".join, rows)))]) + "\n"


def links_of(height, width, is_joined):
    """Returns a block of data of the scheme `links`, with `1` between the neighbours that are joined."""
    across = [["1" if is_joined(row, column, 0, 1) else "." for column in range(width - 1)] for row in range(height)]
    down = [["1" if is_joined(row, column, 1, 0) else "." for column in range(width)] for row in range(height - 1)]
    return across + down


def read_bricks(board):
    given = board.section("clues")
    first = [int(token) for token in (board.solution or [[]])[0]]
    shifted = any((first[column] + first[column + 1]) % 2 == 0 for column in range(0, len(first) - 1, 2))
    return text("bricks shifted=yes" if shifted else "bricks", given), board.found(grid=numbers)


def read_consecutive(board):
    given = board.section("clues")
    bits = board.take()
    is_joined = lambda row, column, down, right: int(bits[row][column]) & (2 if down else 1)
    links = links_of(board.height, board.width, is_joined)
    # Rows take the place of boxes, because the boards are Latin squares.
    rows = [[str(row)] * board.width for row in range(board.height)]
    return mixed_sudoku("nonconsecutive=yes", region=rows, difference=links, given=given), board.found(grid=numbers)


def read_doors(board):
    clues = board.section("clues")

    def closed(walls):
        lines = [[0] * (board.width + 1) for _ in range(board.height + 1)]
        for row in range(board.height):
            for column in range(board.width):
                wall = int(walls[row][column])
                if wall & 4 and column + 1 < board.width:
                    lines[row][column + 1] += 4
                    lines[row + 1][column + 1] += 1
                if wall & 2 and row + 1 < board.height:
                    lines[row + 1][column] += 2
                    lines[row + 1][column + 1] += 8
        return lines

    return text("doors", clues), board.found(closed=closed)


def read_entryexit(board):
    board.section("clues")
    return text("entryexit", board.section("areas")), board.found(line=sides)


def read_eulero(board):
    digits = lambda place: lambda grid: [[token[place] for token in row] for row in grid]
    given = board.take()
    blocks = [mapped(digits(place)(given), {"0": "."}) for place in (0, 1)]
    values = lambda place: lambda grid: each(int)(digits(place)(grid))
    return text("eulero", *blocks), board.found(grid=values(0), b=values(1))


def read_evenodd(board):
    given = board.section("clues")
    parity = [[{"E": "e", "O": "o"}.get(token, ".") for token in row] for row in given]
    return mixed_sudoku(parity=parity, given=mapped(given, {"E": ".", "O": "."})), board.found(grid=numbers)


def read_grandtour(board):
    given = board.section("clues")
    height, width = board.height, board.width

    def has(row, column, bit):
        token = given[row][column] if row in range(height) and column in range(width) else "."
        return token != "." and int(token) & bit

    def is_joined(row, column, down, right):
        if down:
            return has(row, column, 4) or has(row, column - 1, 1)
        return has(row, column, 8) or has(row - 1, column, 2)

    links = [[token.replace("1", "x") for token in row] for row in links_of(height + 1, width + 1, is_joined)]
    return text("grandtour", links), board.found(line=outline)


def read_latinsums(board):
    clues = board.section("clues")
    open_cells = lambda grid: [[0 if clue != "." else int(token) for clue, token in zip(*rows)] for rows in zip(clues, grid)]
    return text("latinsums", clues), board.found(grid=open_cells)


def read_mathrax(board):
    given = board.section("clues")
    corners = board.take(board.height - 1, board.width - 1)
    parts = [[re.fullmatch(r"-|(\d*)([-+*x/eoEO]?)", token) for token in row] for row in corners]
    if any(match is None for row in parts for match in row):
        raise Skipped("a clue of another form")
    inner = [[[match[part] or "." for match in row] for row in parts] for part in (1, 2)]
    border = ["."] * (board.width + 1)
    blocks = [[border, *([".", *row, "."] for row in block), border] for block in inner]
    return text("mathrax", given, blocks[0], mapped(blocks[1], {"*": "x", "E": "e", "O": "o"})), board.found(grid=numbers)


def read_margins(board):
    views = [board.section(name)[0] for name in ("columns", "columns", "rows", "rows")]
    return mixed_sudoku(margin=views, given=board.section("clues")), board.found(grid=numbers)


def read_skyscraper_sudoku(board):
    views = [board.section(name)[0] for name in ("columns", "columns", "rows", "rows")]
    return mixed_sudoku(skyscraper=views, given=board.section("clues")), board.found(grid=numbers)


def read_overlapping(board):
    given = board.section("clues")
    if board.solution is None:
        raise Skipped("the places of the Sudokus are not known")
    given = [["#" if found == "-" else token for token, found in zip(*rows)] for rows in zip(given, board.solution)]
    corners = [["."] * board.width for _ in given]
    for row, column in itertools.product(range(0, board.height - 8, 3), range(0, board.width - 8, 3)):
        square = [line[column : column + 9] for line in board.solution[row : row + 9]]
        boxes = [[square[b // 3 * 3 + k // 3][b % 3 * 3 + k % 3] for k in range(9)] for b in range(9)]
        if all(set(house) == set("123456789") for house in [*square, *zip(*square), *boxes]):
            corners[row][column] = "o"
    blocks = ["overlappingsudoku", "corner:", *map(" ".join, corners), "given:", *map(" ".join, given)]
    return "\n".join(blocks) + "\n", board.found(grid=numbers)


def read_pfeilzahlen(board):
    clues = board.section("clues")

    def arrow(row, column, token):
        at_side, at_top = column in (0, board.width - 1), row in (0, board.height - 1)
        if at_side == at_top:
            return 0
        before, after = "ns" if at_side else "we"
        return 1 if before in token else 3 if after in token else 2

    arrows = lambda grid: [[arrow(row, column, token) for column, token in enumerate(line)] for row, line in enumerate(grid)]
    return text("pfeilzahlen", clues), board.found(grid=arrows)


def read_pills(board):
    total = sum(int(number) for number in board.rows[0])
    board.more = [next(pills for pills in range(100) if pills * (pills + 1) >= 2 * total)]
    return plain("pills", "columns rows clues", head="pills", grid=lambda grid: pieces(mapped(grid, {"0": "-"})))(board)


def read_stitches(board):
    columns, rows, areas = board.section("columns"), board.section("rows"), board.section("areas")
    return text("stitches", columns, rows, areas, head=["stitches = 1"]), board.found(stitch=sides)


def read_trinairo(board):
    given, grey = with_parts(r"\.|(\d)(x?)", (1,), (2,))(board)
    joined_parts = [["".join(parts).replace(".", "") or "." for parts in zip(*rows)] for rows in zip(given, grey)]
    return text("trinairo", joined_parts), board.found(grid=numbers)


def read_tripletts(board):
    clues, areas = board.section("clues"), board.section("areas")
    symbols = {"c": 1, "s": 2, "t": 3}
    return text("tripletts", areas, mapped(clues, symbols)), board.found(grid=one_of(**symbols))


def read_diffneighbors(board):
    clues, areas = board.section("clues"), board.section("areas")

    def spread(grid):
        number = {area: int(token) for row in zip(areas, grid) for area, token in zip(*row) if token.isdigit()}
        return [[number.get(area, 0) for area in row] for row in areas]

    return text("diffneighbors", areas, clues), board.found(grid=spread)


def read_squaro(board):
    clues = board.section("clues")
    border = ["."] * (board.width + 2)
    corners = [border, *([".", *row, "."] for row in clues), border]

    def points(grid):
        found = [[0] * (board.width + 1) for _ in range(board.height + 1)]
        for row, column in ((row, column) for row in range(board.height) for column in range(board.width)):
            for bit, down, right in ((8, 0, 0), (4, 1, 0), (1, 0, 1), (2, 1, 1)):
                found[row + down][column + right] |= int(bool(int(grid[row][column]) & bit))
        return found

    return text("squaro", corners), board.found(grid=points)


PIPES = {"ns": "│", "ew": "─", "we": "─", "ne": "└", "nw": "┘", "sw": "┐", "se": "┌", "nsew": "┼", "nswe": "┼", "news": "┼"}
SHAPES = {"c": "1", "t": "2", "s": "3"}
READERS = {
    "ABCEndView": read_easyasabc,
    "Akari": plain("akari", "clues", {"x": "#"}, grid=one_of(o=1)),
    "Aqre": plain("aqre", "clues areas", grid=shaded),
    "Araf": with_roots("araf", lambda token: token != "."),
    "BalanceLoop": read_circles("balance"),
    "Battleship": read_battleship,
    "Binairo": plain("binairo", "clues", {"1": "0", "2": "1"}, grid=one_of(**{"2": 1})),
    "Bosanowa": plain("bosanowa", "cells", {".": "x", "-": "."}, grid=numbers),
    "Bricks": read_bricks,
    "Buraitoraito": plain("buraitoraito", "clues", grid=one_of(**{"*": 1})),
    "ButterflySudoku": read_overlapping,
    "CanalView": plain("canal", "clues", grid=shaded),
    "CastleWall": read_castle,
    "Cave": plain("cave", "clues", grid=one_of(**{"-": 1})),
    "Chocona": plain("chocona", "clues areas", grid=shaded),
    "CocktailLamp": plain("cocktail", "clues areas", grid=shaded),
    "Cojun": plain("cojun", "clues areas", grid=numbers),
    "ConsecutiveSudoku": read_consecutive,
    "CountryRoad": plain("countryroad", "clues areas", line=sides),
    "Creek": plain("creek", "corners", grid=shaded),
    "CurvingRoad": plain("curving", "clues", grid=one_of(x=1)),
    "Detour": plain("detour", "clues areas", line=sides),
    "DiffNeighbors": read_diffneighbors,
    "Dominos": plain("dominosa", "clues", tie=lambda grid: joined(grid, str.__eq__)),
    "Doors": read_doors,
    "DoppelBlock": plain("doppelblock", "columns rows given", grid=numbers),
    "DotchiLoop": plain("dotchi", "clues areas", line=sides),
    "DoubleBack": plain("doubleback", "areas", line=sides),
    "EntryExit": read_entryexit,
    "Eulero": read_eulero,
    "EvenOddSudoku": read_evenodd,
    "Factors": plain("factors", "clues areas", grid=numbers),
    "Fillomino": plain("fillomino", "clues", grid=numbers),
    "Fobidoshi": plain("fobidoshi", "clues", grid=one_of(o=1)),
    "Foseruzu": read_foseruzu,
    "Fuzuli": plain("fuzuli", "clues", head="numbers", grid=numbers),
    "Galaxies": read_galaxies,
    "Gappy": plain("gappy", "columns rows", grid=shaded),
    "Gattai8Sudoku": read_overlapping,
    "Geradeweg": plain("geradeweg", "clues", {"0": "?"}, line=sides),
    "GokigenNaname": plain("gokigen", "corners", grid=one_of(**{"\\": 1})),
    "GrandTour": read_grandtour,
    "Hakoiri": plain("hakoiri", "clues areas", SHAPES, grid=one_of(c=1, t=2, s=3)),
    "Hakyuu": plain("hakyuu", "clues areas", grid=numbers),
    "Hanare": plain("hanare", "clues areas", grid=filled),
    "Hashi": read_hashi,
    "Heyawake": plain("heyawake", "clues areas", grid=shaded),
    "Hidoku": plain("hidato", "clues", grid=numbers),
    "Hitori": plain("hitori", "clues", grid=shaded),
    "JigsawSudoku": plain("jigsaw", "clues areas", grid=numbers),
    "Juosan": plain("juosan", "clues areas", grid=one_of(v=1)),
    "Kakkuru": read_latinsums,
    "Kakurasu": plain("kakurasu", "columns rows", grid=shaded),
    "Kakuro": read_kakuro,
    "KenKen": read_kenken,
    "KillerSudoku": plain("killer", "clues areas", grid=numbers),
    "Koburin": plain("koburin", "clues", grid=one_of(x=1), line=sides),
    "Kuromasu": plain("kuromasu", "clues", grid=shaded),
    "Kuroshuto": plain("kurochute", "clues", grid=shaded),
    "Kurotto": plain("kurotto", "clues", {"o": "?"}, grid=shaded),
    "LITS": plain("lits", "areas", grid=filled),
    "Linesweeper": plain("linesweeper", "clues", line=sides),
    "Magnetic": read_magnets,
    "Makaro": read_makaro,
    "MarginSudoku": read_margins,
    "Masyu": plain("masyu", "clues", {"1": "w", "2": "b"}, line=sides),
    "Mathrax": read_mathrax,
    "Minesweeper": read_mines,
    "MoonSun": plain("moonsun", "clues areas", {"o": "b", "x": "w"}, line=sides),
    "Mosaic": plain("mosaic", "clues", grid=shaded),
    "Munraito": plain("munraito", "clues", grid=one_of(s=1), cloud=one_of(x=1)),
    "Nanbaboru": plain("nanbaboru", "clues", {"0": "o"}, head="numbers", grid=numbers),
    "Nanro": plain("nanro", "clues areas", grid=numbers),
    "Nawabari": plain("nawabari", "clues", grid=pieces),
    "Nondango": plain("nondango", "clues areas", {"x": "o"}, grid=one_of(x=1)),
    "Nonogram": read_nonogram,
    "Norinori": plain("norinori", "unused areas", grid=shaded),
    "NumberCross": plain("numbercross", "columns rows clues", grid=shaded),
    "NumberLink": read_numberlink,
    "NumberSnake": plain("numbersnake", "clues", line=sides),
    "Nurikabe": read_nurikabe,
    "Nurimisaki": plain("nurimisaki", "clues", grid=shaded),
    "OneToX": plain("onetox", "columns rows clues areas", grid=numbers),
    "PaintArea": plain("paintarea", "clues areas", grid=shaded),
    "Patchwork": plain("patchwork", "clues areas", grid=numbers),
    "Pfeilzahlen": read_pfeilzahlen,
    "Pills": read_pills,
    "Pipeline": plain("pipeline", "columns rows clues", {"–": "."}, line=sides),
    "Pipelink": plain("pipelink", "clues", PIPES, line=sides),
    "Putteria": plain("putteria", "clues areas", {"x": "?"}, grid=filled),
    "RegionalYajilin": plain("yajilin_regions", "clues areas", grid=one_of(x=1), line=sides),
    "Rekuto": plain("rekuto", "clues", grid=pieces),
    "Renban": plain("renbansquare", "clues areas", grid=numbers),
    "SamuraiSudoku": read_overlapping,
    "Shakashaka": plain("shakashaka", "clues", {"x": "?", "5": "?"}, grid=one_of(ne=1, se=2, sw=3, nw=4)),
    "Shikaku": plain("shikaku", "clues", grid=pieces),
    "Shimaguni": plain("shimaguni", "clues areas", grid=shaded),
    "Shingoki": read_circles("shingoki"),
    "Shirokuro": plain("wblink", "clues", line=sides),
    "ShogunSudoku": read_overlapping,
    "Shugaku": plain("shugaku", "clues", {"5": "?"}, grid=one_of(x=1), pillow=one_of(**{"#": 1})),
    "SimpleLoop": plain("simpleloop", "clues", {"x": "#"}, line=sides),
    "Skyscraper": read_skyscrapers,
    "SkyscraperSudoku": read_skyscraper_sudoku,
    "Slitherlink": read_slitherlink,
    "Snake": read_snake,
    "SoheiSudoku": read_overlapping,
    "SquareO": read_squaro,
    "Starbattle": plain("starbattle", "areas", head="stars", grid=shaded),
    "Sternenhimmel": plain("sternenhimmel", "columns rows clues", grid=one_of(**{"*": 1})),
    "Stitches": read_stitches,
    "Str8t": read_str8ts,
    "Sudoku": plain("sudoku", "clues", grid=numbers),
    "Suguru": plain("suguru", "clues areas", grid=numbers),
    "Sukoro": plain("sukoro", "clues", grid=numbers),
    "SumoSudoku": read_overlapping,
    "Tatamibari": plain("tatamibari", "clues", {"v": "|", "h": "-", "s": "+"}, grid=pieces),
    "TennerGrid": read_tenner,
    "Tent": plain("tents", "columns rows clues", {"x": "t"}, grid=one_of(o=1)),
    "TerraX": plain("terrax", "clues areas", grid=numbers),
    "Thermometer": read_thermometers,
    "TilePaint": plain("tilepaint", "columns rows areas", grid=one_of(x=1)),
    "Trinairo": read_trinairo,
    "Tripletts": read_tripletts,
    "Usoone": plain("usoone", "clues areas", grid=shaded),
    "WindmillSudoku": read_overlapping,
    "Yajikabe": plain("yajikabe", "clues", grid=one_of(x=1)),
    "Yajilin": read_yajilin,
    "YinYang": plain("yinyang", "clues", grid=one_of(b=1)),
    "Yonmasu": with_roots("yonmasu", "o".__eq__),
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


def own_rules(gordian, folder, name, puzzle, added):
    """Returns the options for the rules of boards that do not have all rules of the sheet, or have further ones."""
    if name not in LEFT_OUT and not added:
        return []
    sheet = subprocess.run([gordian, "puzzle", puzzle, "--rules"], capture_output=True, text=True, check=True).stdout
    left_out = tuple(f'rule "{rule}"' for rule in LEFT_OUT.get(name, ()))
    kept = [line for line in sheet.split("\n") if not left_out or not line.startswith(left_out)]
    path = Path(folder) / "rules.sheet"
    path.write_text("\n".join([*kept, *added, ""]))
    return ["--rules", str(path)]


def outcome(gordian, board, rules=()):
    """Solves a board. Returns what was found."""
    code, output, seconds = run([gordian, "solve", board, "--unique", "--json", *rules])
    found = {"seconds": seconds}
    try:
        result = json.loads(output)
        found["outcome"] = "unique" if result.get("unique") else "several" if "other" in result else result["status"]
    except (ValueError, KeyError):
        found["outcome"] = "timeout" if code in (-9, -24) else "error: " + output.strip().split("\n")[0]
    return found


def measured(gordian, rival, folder, name, key, entry):
    """Solves a board of the dataset and checks its published solution, or compares with a rival. Returns what was found."""
    try:
        board, solution, *added = READERS[name](Board(entry))
    except (Skipped, ValueError, KeyError, IndexError) as reason:
        return {"left out": str(reason) or type(reason).__name__}
    path = Path(folder) / "board.txt"
    path.write_text(board)
    if rival:
        return beside(gordian, rival, str(path))
    rules = own_rules(gordian, folder, name, board.split()[0], added)
    found = outcome(gordian, str(path), rules)
    if solution is not None:
        code, output, _ = run([gordian, "check", str(path), "-", *rules], json.dumps(solution))
        found["published"] = "correct" if code == 0 else output.strip().split("\n")[0]
    return found


def beside(gordian, rival, board):
    """Computes the backbone of a board by gordian and by cspuz_core, in turn. Returns the seconds of both."""
    address = subprocess.run([gordian, "show", board, "--url"], capture_output=True, text=True).stdout.strip()
    if not address:
        return {"left out": "no address"}
    times = {"gordian": [], "rival": []}
    unique = {}
    while min(map(len, times.values())) < 3 and sum(map(sum, times.values())) < 0.3:
        for who, command in ("gordian", [gordian, "backbone", "--json", address]), ("rival", [rival, address]):
            code, output, seconds = run(command)
            times[who].append(seconds)
            unique[who] = '"unique":true' in output or "Status: Unique" in output
            if code in (-9, -24):
                unique[who] = None
            elif "Error" in output or '"error"' in output:
                return {"left out": f"{who}: {output.strip()}"}
    return {"unique": unique, **{who: statistics.median(seconds) for who, seconds in times.items()}}


def compared(name, results):
    """Prints a row with the times of both programs, and the boards on which they do not agree."""
    decided = [found for found in results if "left out" not in found and None not in found["unique"].values()]
    both = [found for found in decided if len(set(found["unique"].values())) == 1]
    sums = [sum(found[who] for found in both) for who in ("rival", "gordian")]
    stopped = [sum(found.get("unique", {}).get(who, True) is None for found in results) for who in ("rival", "gordian")]
    ratios = [found["gordian"] / found["rival"] for found in both]
    if both:
        cells = [len(both), *stopped, *(f"{seconds:.2f}" for seconds in sums), f"{sums[1] / sums[0]:.2f}", f"{statistics.median(ratios):.2f}"]
        print("| " + " | ".join(map(str, [name, *cells])) + " |", flush=True)
    return [f"{name} {found['board']}: {found['unique']}" for found in decided if found not in both]


def boards_of(options):
    """Returns the boards of each type: by address, or as the text of the dataset by its name."""
    boards = {}
    if options.dataset.is_file():
        for address, name in ADDRESS.findall(options.dataset.read_text()):
            boards.setdefault(name, {})[address] = {"problem": address}
    for name in options.type or READERS if not boards else ():
        data = json.loads((options.dataset / "assets" / "data" / name / f"{name}_dataset.json").read_text())
        boards[name] = data.get("data") or data.get("puzzles")
    return {name: boards[name] for name in options.type or boards}


def chosen(entries, drawn, largest):
    """Returns the names of the boards to use."""
    keys = sorted(entries, key=lambda key: -len(entries[key]["problem"]))
    rest = keys[largest:]
    if drawn is not None and len(rest) > drawn:
        rest = random.Random(1).sample(sorted(rest), drawn)
    return keys[:largest] + rest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--gordian", default="gordian")
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--largest", type=int, default=0)
    parser.add_argument("--type", action="append")
    parser.add_argument("--beside", metavar="RUN_SOLVER", help="compare with this program of cspuz_core")
    parser.add_argument("--out", type=Path, help="a file of JSON lines with each result; boards in it are not run again")
    options = parser.parse_args()
    known = {}
    if options.out and options.out.exists():
        for line in options.out.read_text().splitlines():
            found = json.loads(line)
            known[found["type"], found["board"]] = found
    if options.beside:
        print("| type | boards | cspuz_core not in 10 s | Gordian not in 10 s | cspuz_core s | Gordian s | ratio of sums | median ratio |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    else:
        print("| type | boards | left out | unique | several | not in 10 s | other | median ms | 95 % ms | worst ms | refused |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    notes = []
    for name, entries in boards_of(options).items():
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for key in chosen(entries, options.drawn, options.largest):
                found = known.get((name, key))
                if found is None:
                    if name in READERS:
                        found = measured(options.gordian, options.beside, folder, name, key, entries[key])
                    elif options.beside:
                        found = beside(options.gordian, options.beside, key)
                    else:
                        found = outcome(options.gordian, key)
                    found |= {"type": name, "board": key}
                    if options.out:
                        with options.out.open("a") as out:
                            out.write(json.dumps(found) + "\n")
                results.append(found)
        if options.beside:
            notes += compared(name, results)
            continue
        used = [found for found in results if "left out" not in found]
        count = lambda outcome: sum(found["outcome"] == outcome for found in used)
        milliseconds = sorted(1000 * found["seconds"] for found in used) or [0]
        refused = [found for found in used if found.get("published", "correct") != "correct"]
        known_outcomes = [count("unique"), count("several"), count("timeout")]
        cells = [name, len(used), len(results) - len(used), *known_outcomes, len(used) - sum(known_outcomes)]
        times = statistics.median(milliseconds), milliseconds[len(milliseconds) * 19 // 20], milliseconds[-1]
        cells += [*(f"{time:.0f}" for time in times), len(refused)]
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
