"""Compares the native global constraints with the decompositions of MiniZinc's standard library.

    python globals.py GORDIAN [--benchmarks DIRECTORY] [--timeout SECONDS]

MiniZinc compiles each model twice: with the library of Gordian, and with a copy without the files of one constraint, so
that the standard library decomposes this constraint. The models are in the directory `globals`. With --benchmarks, a
clone of https://github.com/MiniZinc/minizinc-benchmarks, the script also runs some of its models.

The output is a table with the number of clauses, the processor time to presolve, encode and solve in seconds, and the
result: a proven result ("done"), or the best objective at the timeout. A dash means that the formula was not complete at the
timeout.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("gordian", type=pathlib.Path, help="the program to run")
parser.add_argument("--benchmarks", type=pathlib.Path, help="a clone of minizinc-benchmarks")
parser.add_argument("--timeout", type=int, default=20, help="seconds for each run")
arguments = parser.parse_args()

OWN = pathlib.Path(__file__).parent / "globals"

# The constraint, the start of the names of its library files, the model, and its data.
OWN_MODELS = [
    ("all_different", ["fzn_all_different_int"], "ruler.mzn"),
    ("global_cardinality", ["fzn_global_cardinality"], "magic-sequence.mzn"),
    ("among, count", ["fzn_among", "fzn_count"], "cars.mzn"),
    ("table", ["fzn_table"], "neighbours.mzn"),
    ("regular", ["fzn_regular"], "roster.mzn"),
    ("mdd", ["fzn_mdd"], "paths.mzn"),
    ("value_precede_chain", ["fzn_value_precede", "fzn_seq_precede"], "colouring.mzn"),
    ("lex_less, lex_lesseq", ["fzn_lex"], "block-design.mzn"),
    ("inverse", ["fzn_inverse"], "assignment.mzn"),
    ("circuit", ["fzn_circuit"], "tour.mzn"),
    ("subcircuit", ["fzn_subcircuit"], "prize-tour.mzn"),
    ("connected", ["fzn_connected", "fzn_reachable", "fzn_dreachable"], "dominating-set.mzn"),
    ("steiner", ["fzn_steiner", "fzn_tree", "fzn_dtree"], "steiner-tree.mzn"),
    ("path", ["fzn_path", "fzn_dpath", "fzn_tree", "fzn_dtree"], "longest-path.mzn"),
    ("cumulative", ["fzn_cumulative"], "projects.mzn"),
    ("disjunctive", ["fzn_disjunctive"], "single-machine.mzn"),
    ("diffn", ["fzn_diffn"], "strip-packing.mzn"),
]
BENCHMARKS = [
    ("cumulative", ["fzn_cumulative"], "rcpsp-max/rcpsp_max.mzn", "rcpsp-max/psp_j20_34.dzn"),
    ("cumulative", ["fzn_cumulative"], "rcpsp-wet/rcpsp-wet.mzn", "rcpsp-wet/j30_1_3-wet.dzn"),
    ("cumulative", ["fzn_cumulative"], "cyclic-rcpsp/rcmsp.mzn", "cyclic-rcpsp/easy_3.dzn"),
    ("cumulative", ["fzn_cumulative"], "smelt/smelt.mzn", "smelt/smelt_2.dzn"),
    ("regular", ["fzn_regular"], "elitserien/handball.mzn", "elitserien/handball11.dzn"),
    ("regular", ["fzn_regular"], "pentominoes/pentominoes-int.mzn", "pentominoes/01.dzn"),
    ("regular", ["fzn_regular"], "traveling-tppv/ttppv.mzn", "traveling-tppv/circ8abal.dzn"),
    ("table", ["fzn_table"], "depot-placement/depot_placement.mzn", "depot-placement/att48_5.dzn"),
]


def install(directory, without):
    """Installs the solver without the library files whose names start with one of the given texts."""
    subprocess.run([arguments.gordian, "minizinc", "install", "--directory", directory], check=True, capture_output=True)
    for file in (directory / "gordian").glob("*.mzn"):
        if file.name.startswith(tuple(without)):
            file.unlink()


def processor_time():
    """Returns the processor time of all finished child processes in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(files, without):
    """Returns the cells of a table: clauses, seconds and result."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        install(directory, without)
        flat = directory / "model.fzn"
        compiled = subprocess.run(
            ["minizinc", "--solver", "gordian", "-c", "--no-output-ozn", "--fzn", flat, *files],
            env={"MZN_SOLVER_PATH": name, "PATH": "/usr/local/bin:/usr/bin:/bin"}, capture_output=True, text=True,
        )
        if compiled.returncode != 0:
            return "-", "-", "not compiled"
        is_satisfaction = re.search(r"^solve\b.*\bsatisfy;", flat.read_text(), re.M) is not None
        start = processor_time()
        run = subprocess.run(
            [arguments.gordian, "fzn", "-f", "-s", "-i", "-t", str(1000 * arguments.timeout), flat],
            capture_output=True, text=True,
        )
        seconds = processor_time() - start
    statistic = lambda key: (re.findall(rf"%%%mzn-stat: {key}=(.*)", run.stdout) or ["-"])[-1]
    satisfied = "----------" in run.stdout
    is_done = "==========" in run.stdout or "UNSATISFIABLE" in run.stdout
    is_done |= satisfied and is_satisfaction
    result = "done" if is_done else statistic("objective") if satisfied else "unknown"
    return statistic("clauses"), f"{seconds:.1f}", result


models = [(name, without, [OWN / model]) for name, without, model in OWN_MODELS]
if arguments.benchmarks:
    for name, without, *files in BENCHMARKS:
        models.append((name, without, [arguments.benchmarks / file for file in files]))
print("| constraint | model | native: clauses | s | result | decomposed: clauses | s | result |")
print("| --- | --- | ---: | ---: | --- | ---: | ---: | --- |")
for name, without, files in models:
    cells = [*measure(files, ["no file"]), *measure(files, without)]
    print(f"| `{name.replace(', ', '`, `')}` | {files[0].stem} |", " | ".join(cells), "|", flush=True)
