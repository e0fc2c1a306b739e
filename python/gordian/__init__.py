"""Gordian: constraint models and logic puzzles, solved by encoding them into SAT.

>>> import gordian
>>> m = gordian.Model()
>>> x, y = m.int(0, 9, "x"), m.int(0, 9, "y")
>>> m += 2 * x + y == 7
>>> m.maximize(y)
>>> best = m.solve()
>>> best[x], best[y]
(0, 7)

The page docs/python.md of the repository describes the package.
"""

from gordian import _core
from gordian._core import BoardError, Expr, GordianError, InternalError, LimitReached, ModelError, Solution
from gordian._constraints import (
    all_different,
    all_different_except,
    all_equal,
    all_of,
    among,
    any_of,
    at_least,
    at_most,
    automaton,
    bin_packing,
    circuit,
    connected,
    count,
    cumulative,
    decreasing,
    diffn,
    disjunctive,
    div,
    element,
    exactly,
    global_cardinality,
    if_then_else,
    increasing,
    inverse,
    lex_less,
    lex_lesseq,
    maximum,
    member,
    minimum,
    no_overlap,
    no_overlap_2d,
    regular,
    rem,
    subcircuit,
    sum,
    table,
    value_precedence,
    xor,
)
from gordian._model import Backbone, Conflict, Model, Outcome, array

__version__ = _core.__version__


def __getattr__(name):
    # The other modules are imported when they are first used, so that `import gordian` is fast.
    if name in ("cpmpy", "encode", "puzzle", "pycsp3"):
        import importlib

        return importlib.import_module(f"gordian.{name}")
    if name == "minizinc_install":
        from gordian._minizinc import minizinc_install

        return minizinc_install
    raise AttributeError(f"module 'gordian' has no attribute {name!r}")


def encodings():
    """Return a dictionary from the types of constraints to the names of their encodings.

    The option ``encodings`` of queries chooses among them, as in ``m.solve(encodings={"cardinality": "totalizer"})``.
    """
    return _core.encodings()


__all__ = [
    "Backbone",
    "BoardError",
    "Conflict",
    "Expr",
    "GordianError",
    "InternalError",
    "LimitReached",
    "Model",
    "ModelError",
    "Outcome",
    "Solution",
    "all_different",
    "all_different_except",
    "all_equal",
    "all_of",
    "among",
    "any_of",
    "array",
    "at_least",
    "at_most",
    "automaton",
    "bin_packing",
    "circuit",
    "connected",
    "count",
    "cumulative",
    "decreasing",
    "diffn",
    "disjunctive",
    "div",
    "element",
    "encodings",
    "exactly",
    "global_cardinality",
    "if_then_else",
    "increasing",
    "inverse",
    "lex_less",
    "lex_lesseq",
    "maximum",
    "member",
    "minimum",
    "minizinc_install",
    "no_overlap",
    "no_overlap_2d",
    "regular",
    "rem",
    "subcircuit",
    "sum",
    "table",
    "value_precedence",
    "xor",
]
