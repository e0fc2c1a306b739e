"""PyCSP3, in processes of their own: a script is one model."""

import importlib.util
import subprocess
import sys
import textwrap

import pytest

# The package is not imported here, because it would treat the test run as a model.
pytestmark = pytest.mark.skipif(importlib.util.find_spec("pycsp3") is None, reason="pycsp3 is not installed")

MODEL = """
    from pycsp3 import *

    x = VarArray(size=[2, 3], dom=range(4))
    y = Var(dom=range(10))
    z = VarArray(size=3, dom=lambda i: range(2) if i != 1 else None)
    satisfy(AllDifferent(x[0]), Sum(x) == y, x[0][0] > 1, z[0] != z[2])
"""


def run(tmp_path, text):
    script = tmp_path / "model.py"
    script.write_text(textwrap.dedent(text))
    result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.py"], "no file is left"
    return result.stdout.splitlines()


def test_an_optimum(tmp_path):
    lines = run(
        tmp_path,
        MODEL
        + """
    maximize(y - x[1][2])
    import gordian.pycsp3
    print(gordian.pycsp3.solve() is OPTIMUM, value(y) - value(x[1][2]), sum(values(x[0])) + sum(values(x[1])) == value(y))
    print(value(x[0][0]) > 1, value(z[0]) != value(z[2]), len(set(values(x[0]))))
    """,
    )
    assert lines == ["True 9 True", "True True 3"]


def test_all_solutions(tmp_path):
    lines = run(
        tmp_path,
        """
    from pycsp3 import *

    x = VarArray(size=3, dom=range(3))
    satisfy(AllDifferent(x), x[0] < x[1])
    import gordian.pycsp3
    print(gordian.pycsp3.solve(sols="ALL") is SAT, len({tuple(values(x, sol=i)) for i in range(3)}), len(x[0].values))
    """,
    )
    assert lines == ["True 3 3"]


def test_no_solution(tmp_path):
    lines = run(
        tmp_path,
        """
    from pycsp3 import *

    x = VarArray(size=3, dom=range(2))
    satisfy(AllDifferent(x))
    import gordian.pycsp3
    print(gordian.pycsp3.solve() is UNSAT, gordian.pycsp3.solve(sols=1) is UNSAT)
    """,
    )
    assert lines == ["True True"]
