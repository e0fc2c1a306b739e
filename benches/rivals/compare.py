"""Compares Gordian with other solvers on the same boards, one process at a time.

`compare.py --gordian PROGRAM [--cspuz run_solver] [--noqx FOLDER] -o results.jsonl BOARD...`, then the same with
`--report`. Boards are texts in the native format of nurikabe, rooks (Akari) and numberlink. Every run has the same limit of
processor time. The processor time of the whole process is measured, user and system. Short runs are repeated, and the median
counts. The results of the other solvers are checked: solutions by `gordian check`, and backbones cell by cell against
`gordian backbone`. Any disagreement is printed, and the program exits with code 1.

Runs that are already in the results file are skipped.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
QUESTIONS = ["backbone", "unique", "solve"]


def rows_of(board):
    """Returns the puzzle type of a board, the rest of its first line, and its rows of tokens."""
    lines = [line.split() for line in open(board) if line.strip() and not line.startswith("%")]
    return lines[0][0], lines[0][1:], lines[1:]


def contenders(options, board, question):
    """Returns the name and command line of each solver that supports this query on this board."""
    kind = rows_of(board)[0]
    words = {"solve": ["solve"], "unique": ["solve", "--unique"], "backbone": ["backbone"]}[question]
    yield "gordian", [options.gordian, *words, board, "--json"]
    if options.cspuz and question == "backbone" and kind in ("nurikabe", "rooks"):
        address = subprocess.run([options.gordian, "show", board, "--url"], capture_output=True, text=True).stdout
        yield "cspuz_core", [options.cspuz, "--json", address.strip()]
    if options.noqx and not (kind == "numberlink" and question == "backbone"):
        for solver in ["numlin", "numlin_bit"] if kind == "numberlink" else [""]:
            script = [sys.executable, os.path.join(HERE, "noqx_board.py"), options.noqx, board, question]
            yield " ".join(["noqx", solver]).strip(), script + [solver] * bool(solver)


def run(command, limit):
    """Returns the processor seconds and the output of a command. The output is `None` if the command was stopped or failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["prlimit", f"--cpu={limit}", *command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    failed = done.returncode not in (0, 1) or not done.stdout.strip()
    if failed and seconds < limit * 0.9:
        print("failed:", *command, done.stderr[-500:], file=sys.stderr)
    return seconds, None if failed else done.stdout.strip().splitlines()[-1]


def cspuz_backbone(text, rows):
    """Returns the value of each cell in cspuz_core's output: 1 (black, lamp), 0, or `None` where solutions differ."""
    data = json.loads(text)
    data = data.get("description", data)
    if data.get("hasSolution") is False:
        return "none", None
    marks = {((item["y"] - 1) // 2, (item["x"] - 1) // 2): item["item"] for item in data["data"]}
    value = {"block": 1, "circle": 1, "dot": 0}
    return "solved", [
        [0 if rows[r][c] != "." else value.get(marks.get((r, c))) for c in range(len(rows[0]))]
        for r in range(len(rows))
    ]


def gordian_backbone(grid, kind):
    """Returns the value of each cell in the output of `gordian backbone`: 0 is sea in nurikabe, 1 is a rook in rooks."""
    mark = 0 if kind == "nurikabe" else 1
    return [[1 if cell == [mark] else None if mark in cell else 0 for cell in row] for row in grid]


def solution_text(grid, kind, rows):
    """Returns a solution as text for `gordian check`."""
    if kind == "rooks":
        grid = [[rows[r][c] if rows[r][c] != "." else "R" if v else "." for c, v in enumerate(row)] for r, row in enumerate(grid)]
    elif kind == "nurikabe":
        sea, grid = grid, [[0 if v else None for v in row] for row in grid]
        for r, row in enumerate(sea):
            for c, v in enumerate(row):
                if not v and grid[r][c] is None:
                    island, todo = {(r, c)}, [(r, c)]
                    while todo:
                        y, x = todo.pop()
                        for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                            inside = 0 <= cell[0] < len(sea) and 0 <= cell[1] < len(row)
                            if inside and cell not in island and not sea[cell[0]][cell[1]]:
                                island.add(cell)
                                todo.append(cell)
                    for y, x in island:
                        grid[y][x] = len(island)
    return "\n".join(" ".join(map(str, row)) for row in grid) + "\n"


def measure(options):
    seen = set()
    if os.path.exists(options.output):
        seen = {(r["board"], r["question"]) for r in map(json.loads, open(options.output))}
    wrong = 0
    for board in options.boards:
        name = os.path.basename(board)
        kind, words, rows = rows_of(board)
        for question in options.question:
            if (name, question) in seen:
                continue
            found, results = {}, []
            for who, command in contenders(options, board, question):
                seconds, text = run(command, options.limit)
                times = [seconds]
                while text and len(times) < 3 and sum(times) < 1:
                    times.append(run(command, options.limit)[0])
                result = {"board": name, "kind": kind, "cells": sum(map(len, rows)), "options": words}
                result |= {"question": question, "who": who, "seconds": statistics.median(times)}
                if text is None:
                    result["status"] = "stopped"
                elif who == "cspuz_core":
                    result["status"], backbone = cspuz_backbone(text, rows)
                    found[who] = backbone and {"backbone": backbone}
                else:
                    data = json.loads(text)
                    result["status"] = data["status"]
                    result["cpu"] = data.get("cpu") or data["stats"]["ms"]
                    found[who] = data
                    if who == "gordian" and data["status"] == "solved" and question == "backbone":
                        data["backbone"] = gordian_backbone(data["remaining"]["grid"], kind)
                    if "unique" in data:
                        result["unique"] = data["unique"]
                results.append(result)
            for result in results:
                mine, his = results[0], found.get(result["who"])
                if result is mine or "stopped" in (mine["status"], result["status"]):
                    agree = True
                else:
                    agree = mine["status"] == result["status"]
                    if agree and question == "backbone" and his:
                        agree = found["gordian"]["backbone"] == his["backbone"]
                    if agree and question == "unique":
                        agree = mine.get("unique") == result.get("unique")
                if his and who_solutions(result) and "grid" in his:
                    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                        file.write(solution_text(his["grid"], kind, rows))
                        file.flush()
                        check = subprocess.run([options.gordian, "check", board, file.name], capture_output=True, text=True)
                        if check.returncode != 0:
                            agree = False
                            print(check.stdout, check.stderr)
                if not agree:
                    wrong += 1
                    print("DISAGREE", name, question, result["who"], flush=True)
                    result["disagrees"] = True
            with open(options.output, "a") as file:
                file.writelines(json.dumps(result) + "\n" for result in results)
            print(name, question, *(f"{r['who']}={r['seconds']:.3f}{'' if r['status'] != 'stopped' else '!'}" for r in results), flush=True)
    return 1 if wrong else 0


def who_solutions(result):
    """Returns whether the solution of this run must be checked. Gordian checks its own solutions."""
    return result["who"] != "gordian" and result["status"] == "solved"


def report(options):
    """Prints the number of solved boards, the seconds on boards that both solved, and the ratio to Gordian's seconds."""
    table = {}
    for result in map(json.loads, open(options.output)):
        key = (result["kind"], " ".join(result["options"]), result["question"])
        table.setdefault(key, {}).setdefault(result["who"], {})[result["board"]] = result
    print("| boards | question | who | solved | CPU s, both solved | Gordian's | ratio, median | Gordian slower on |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for (kind, words, question), runs in sorted(table.items()):
        mine = {board for board, r in runs["gordian"].items() if r["status"] != "stopped"}
        for who, his in runs.items():
            solved = {board for board, r in his.items() if r["status"] != "stopped"}
            both = sorted(solved & mine)
            a = [his[board]["seconds"] for board in both]
            b = [runs["gordian"][board]["seconds"] for board in both]
            ratio = statistics.median(x / max(y, 0.001) for x, y in zip(a, b)) if both else float("nan")
            slower = sum(y > x for x, y in zip(a, b)) + len(solved - mine)
            print(f"| {kind} {words} | {question} | {who} | {len(solved)} of {len(his)} | {sum(a):.2f} | {sum(b):.2f} | {ratio:.2f} | {slower} |")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD")
    parser.add_argument("-o", "--output", required=True, help="results file, one JSON object per line")
    parser.add_argument("--gordian", default="gordian", help="path of gordian")
    parser.add_argument("--cspuz", help="path of cspuz_core's run_solver")
    parser.add_argument("--noqx", help="directory of noqx; needs clingo's Python package")
    parser.add_argument("--limit", type=int, default=10, help="limit of processor seconds per run")
    parser.add_argument("--question", nargs="+", choices=QUESTIONS, default=QUESTIONS)
    parser.add_argument("--report", action="store_true", help="print a table of the results instead of running anything")
    options = parser.parse_args()
    sys.exit(report(options) if options.report else measure(options))


if __name__ == "__main__":
    main()
