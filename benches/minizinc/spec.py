"""Runs the specification tests of MiniZinc with a solver in the place of Chuffed.

The tests are the directory `tests` of https://github.com/MiniZinc/libminizinc, and so is the code that compares
results. They need `pip install minizinc pyyaml jsonschema`, and `minizinc` on the PATH.

    python spec.py LIBMINIZINC/tests --solver gordian [--checker gecode] [--baseline gecode] [--filter PART]

Some tests list only the solutions that Gecode and Chuffed find first. With --checker, a solution that is not listed
is *checked*: another solver must accept it, and its status and objective must be as listed.

A test is *refused* if MiniZinc or the solver ends with an error instead of a result. With --baseline, failed and
refused tests are also run with another solver, and tests that it doesn't pass are counted as *baseline*: the installed
version of MiniZinc does not support them.
"""

import argparse
import datetime
import pathlib
import re
import sys
import warnings
from collections import Counter

arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
arguments.add_argument("tests", type=pathlib.Path)
arguments.add_argument("--solver", default="gordian")
arguments.add_argument("--checker")
arguments.add_argument("--baseline")
arguments.add_argument("--timeout", type=float, default=60, help="seconds for each test")
arguments.add_argument("--filter", default="", help="run only the files whose path contains this")
arguments = arguments.parse_args()

sys.path.insert(0, str(arguments.tests))
import minizinc  # noqa: E402
from minizinc.helpers import check_solution  # noqa: E402
from minizinc_testing import helpers, spec, yaml  # noqa: E402,F401

# MiniZinc warns of libraries with old names.
warnings.simplefilter("ignore")


def tests():
    """Yields the tests for Chuffed that solve, each with its file and its name."""
    for file in sorted(arguments.tests.glob("spec/unit/**/*.mzn")):
        comment = re.match(r"/\*\*\*\n(.*?)\n\*\*\*/", file.read_text(encoding="utf-8"), re.S)
        if comment is None or arguments.filter not in str(file):
            continue
        for number, test in enumerate(yaml.load_all(comment.group(1))):
            if "chuffed" in test.solvers and test.type in ("solve", "core"):
                name = number if test.name is yaml.Undefined else test.name
                yield file, f"{file.relative_to(arguments.tests / 'spec' / 'unit')}:{name}", test


def checked(model, result, required):
    """Returns whether a result is right although its solution is not listed."""
    if isinstance(result.solution, list) or not result.status.has_solution():
        return False
    solution = result.solution.as_dict()

    def as_listed(expected):
        if getattr(expected, "status", yaml.Undefined) not in (yaml.Undefined, str(result.status)):
            return False
        if not isinstance(getattr(expected, "solution", None), spec.Solution):
            return False
        objective = expected.solution.as_dict().get("objective", solution.get("objective"))
        return objective == solution.get("objective")

    solver = minizinc.Solver.lookup(arguments.checker)
    return any(map(as_listed, required)) and check_solution(model, solution, result.status, solver)


def outcome(test, file, solver):
    """Returns "passed", "checked", "failed" or "refused", with the reason."""
    limit = {"timeout": datetime.timedelta(seconds=arguments.timeout)} if test.type == "solve" else {}
    try:
        model, result, required, obtained = test.run(file, solver, default_options=limit)
        if test.passed(obtained if test.type == "core" else result):
            return "passed", ""
        if arguments.checker and isinstance(result, minizinc.Result) and checked(model, result, required):
            return "checked", ""
    except Exception as error:  # Errors of the driver itself.
        result = obtained = error
    if isinstance(result, Exception):
        lines = [line.strip() for line in str(result).splitlines() if line.strip()]
        return "refused", lines[-1] if lines else type(result).__name__
    if test.type == "core":
        return "failed", f"{result.status}, {obtained.cores}"
    solutions = result.solution if isinstance(result.solution, list) else [result.solution]
    return "failed", f"{result.status}, {[solution and solution.as_dict() for solution in solutions]}"


counts, reasons = Counter(), Counter()
for file, name, test in tests():
    verdict, reason = outcome(test, file, arguments.solver)
    if verdict in ("failed", "refused") and arguments.baseline:
        if outcome(test, file, arguments.baseline)[0] not in ("passed", "checked"):
            verdict = "baseline"
    counts[verdict] += 1
    if verdict in ("failed", "refused"):
        print(f"{verdict} {name}: {reason[:200]}", flush=True)
    if verdict == "refused":
        reasons[re.sub(r"[0-9]+|`[^`]*`", "_", reason)[:100]] += 1
print(f"\n{counts.total()} run:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
for reason, count in reasons.most_common():
    print(f"{count:5} {reason}")
sys.exit(counts["failed"] > 0)
