"""Runs the specification tests of MiniZinc with a solver in the place of Chuffed.

The tests are the directory `tests` of https://github.com/MiniZinc/libminizinc, and so is the code that compares
results. They need `pip install minizinc pyyaml jsonschema`, and `minizinc` on the PATH.

    python spec.py LIBMINIZINC/tests --solver gordian [--baseline gecode] [--filter PART]

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
arguments.add_argument("--baseline")
arguments.add_argument("--timeout", type=float, default=60, help="seconds for each test")
arguments.add_argument("--filter", default="", help="run only the files whose path contains this")
arguments = arguments.parse_args()

sys.path.insert(0, str(arguments.tests))
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


def outcome(test, file, solver):
    """Returns "passed", "failed" or "refused", with the reason."""
    limit = {"timeout": datetime.timedelta(seconds=arguments.timeout)} if test.type == "solve" else {}
    try:
        _, result, _, obtained = test.run(file, solver, default_options=limit)
        if test.passed(obtained if test.type == "core" else result):
            return "passed", ""
    except Exception as error:  # Errors of the driver itself.
        result = obtained = error
    if isinstance(result, Exception):
        lines = [line.strip() for line in str(result).splitlines() if line.strip()]
        return "refused", lines[-1] if lines else type(result).__name__
    return "failed", f"{result.status}, {obtained.solution if test.type == 'solve' else obtained.cores}"


counts, reasons = Counter(), Counter()
for file, name, test in tests():
    verdict, reason = outcome(test, file, arguments.solver)
    if verdict != "passed" and arguments.baseline:
        if outcome(test, file, arguments.baseline)[0] != "passed":
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
