#!/usr/bin/env python3
"""Measures how well the commands keep their limits on large inputs.

Usage: benches/limits.py GORDIAN [--timeout 2] [--memory 2G] [--input WORD] [--command WORD] [--interrupt]

Each command runs alone. The table has a row for each: the seconds over the time limit, the peak memory in MiB, the exit
code, and the last line of the output. A row ends with `over` if the command exceeds the time limit by more than half a
second, or the memory limit by more than 10 %. With `--interrupt`, the command gets SIGINT instead of a time limit.

The address space of each command is limited to 8 GB, so a mistake can't exhaust the memory of the machine.
"""

import argparse
import gzip
import os
import random
import resource
import signal
import subprocess
import tempfile
import time

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
ADDRESS_SPACE = 8_000_000_000


def grid(name, size, cell):
    rows = (" ".join(cell(row, column) for column in range(size)) for row in range(size))
    return f"{name}\n" + "\n".join(rows) + "\n"


def pairs(name, size, count):
    cells = random.Random(1).sample(range(size * size), 2 * count)
    number = {cell: str(index // 2 + 1) for index, cell in enumerate(cells)}
    return grid(name, size, lambda row, column: number.get(row * size + column, "."))


def boards(size):
    """Returns a board of each puzzle type whose boards can have this size."""
    yield "rooks", grid("rooks", size, lambda row, column: ".")
    yield "nurikabe", grid("nurikabe", size, lambda row, column: "3" if row % 3 == column % 4 == 0 else ".")
    yield "numberlink", pairs("numberlink", size, size // 2)
    yield "amaze", pairs("amaze", size, size // 2)
    edges = "|".join(f"{node}, {node + 1}" for node in range(1, size * size // 4))
    count = size * size // 4
    yield "labyrinth", f"labyrinth\nn = {count}\nstart = 1\ntarget = {count}\ngraph = [|{edges}|]\n"


def flatzinc(path, megabytes):
    with open(path, "w") as out:
        count = megabytes * 9_000
        for index in range(count):
            out.write(f"var 1..100: x{index:07} :: output_var;\n")
        for index in range(count - 1):
            out.write(f"constraint int_lin_le([1,-1],[x{index:07},x{index + 1:07}],-{index % 7});\n")
        out.write("solve satisfy;\n")


def xcsp3(path):
    with open(path, "w") as out:
        out.write('<instance format="XCSP3" type="CSP"><variables><array id="x" size="[1000000]">0..9</array></variables>'
                  '<constraints><sum><list>x[]</list><condition>(le,5000)</condition></sum></constraints></instance>\n')


def formula(path, megabytes, weighted):
    """Writes a compressed random formula of the given size."""
    rng, variables = random.Random(2), 4_000_000
    block = []
    for index in range(200_000):
        lits = [str(rng.randrange(1, variables) * rng.choice((1, -1))) for _ in range(3)]
        head = ("h " if index % 2 else f"{index % 90 + 1} ") if weighted else ""
        block.append(head + " ".join(lits) + " 0\n")
    text = "".join(block).encode()
    repeats = megabytes * (1 << 20) // len(text) + 1
    header = "" if weighted else f"p cnf {variables} {repeats * len(block)}\n"
    member = gzip.compress(text, 1)
    with open(path, "wb") as out:
        out.write(gzip.compress(header.encode()))
        for _ in range(repeats):
            out.write(member)


def rows(directory, wanted):
    """Returns the name of each input and the arguments of each command. Creates only the inputs whose name contains
    `wanted`."""
    solved = ["solve"], ["solve", "--count"], ["solve", "--all"], ["solve", "--unique"]
    explained = ["why"], ["hint"], ["explain"], ["clues"]
    others = ["backbone"], ["backbone", "--counts"], ["sample"], ["show"]
    for size in 200, 1000:
        for name, text in boards(size):
            if wanted not in f"{name} {size}x{size}":
                continue
            path = os.path.join(directory, f"{name}-{size}.txt")
            with open(path, "w") as out:
                out.write(text)
            for command in (*solved, *explained, *others):
                yield f"{name} {size}x{size}", [command[0], path, *command[1:]]
            yield f"{name} {size}x{size}", ["export", path, "-o", os.path.join(directory, "out.cnf")]
            yield f"{name} {size}x{size}", ["decode", path, os.devnull]
            yield f"{name} {size}x{size}", ["check", path, os.devnull]
            os.remove(path)
    for name in "rooks", "nurikabe", "numberlink":
        yield "100x100", ["make", name, "--size", "100x100"]
    models = ["solve"], ["solve", "--count"], ["backbone"], ["sample"], ["why"], ["export"], ["check", os.devnull]
    groups = [
        ("FlatZinc, 100 MB", "large.fzn", lambda path: flatzinc(path, 100), (["fzn"], *models)),
        ("XCSP3, a million variables", "small.xml", xcsp3, (["xcsp3"], *models)),
        ("CNF, 1 GB", "large.cnf.gz", lambda path: formula(path, 1024, False),
         (["sat"], ["sat", "--solver", "batsat"], ["sat", "--solver", "varisat"])),
        ("WCNF, 1 GB", "large.wcnf.gz", lambda path: formula(path, 1024, True), (["opt"],)),
    ]
    for name, file, create, commands in groups:
        if wanted in name:
            path = os.path.join(directory, file)
            create(path)
            for command in commands:
                yield name, [command[0], path, *command[1:]]
            os.remove(path)


def run(program, arguments, options):
    """Runs a command, and returns its seconds, its peak memory in MiB, its exit code and its last line."""
    limits = ["--memory", options.memory]
    if not options.interrupt:
        fzn = arguments[0] == "fzn"
        limits += ["-t", str(int(1000 * options.timeout))] if fzn else ["--timeout", str(options.timeout)]
    with tempfile.TemporaryFile() as out:
        guard = lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        start = time.monotonic()
        child = subprocess.Popen([program, *arguments, *limits], stdout=out, stderr=out, preexec_fn=guard)
        if options.interrupt:
            time.sleep(options.timeout)
            # `send_signal` would reap a child that has ended, and its usage would be lost.
            os.kill(child.pid, signal.SIGINT)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(max(0, out.seek(0, os.SEEK_END) - 300))
        lines = out.read().decode(errors="replace").splitlines() or [""]
    return seconds, usage.ru_maxrss / 1024, child.returncode, lines[-1][-60:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--timeout", type=float, default=2)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--input", default="")
    parser.add_argument("--command", default="")
    parser.add_argument("--interrupt", action="store_true")
    options = parser.parse_args()
    most = float(options.memory[:-1]) * UNITS[options.memory[-1]] / (1 << 20)
    print("| input | command | seconds over | MiB | exit code | last line | |")
    print("| --- | --- | ---: | ---: | ---: | --- | --- |")
    with tempfile.TemporaryDirectory() as directory:
        for name, arguments in rows(directory, options.input):
            words = [word for word in arguments if not word.startswith(directory) and word != os.devnull]
            if options.command not in " ".join(words) or options.input not in name:
                continue
            seconds, memory, code, last = run(options.program, arguments, options)
            over = max(0, seconds - options.timeout)
            wrong = over > 0.5 or memory > 1.1 * most or code in (70, 101) or code < 0
            print(f"| {name} | {' '.join(words)} | {over:.2f} | {memory:.0f} | {code} | {last} | {'over' if wrong else ''} |",
                  flush=True)


main()
