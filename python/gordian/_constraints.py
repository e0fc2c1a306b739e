"""Constraints and functions, under the names of the literature.

Each constraint is a Boolean expression: it can be added to a model, negated with ``~``, and combined with ``|``, ``&`` and
``implies``. Lists may be lists, tuples, iterators or NumPy arrays; arrays with several dimensions are flattened.
"""

from gordian._core import Expr, combine, function, relation
from gordian._core import sum as _sum


def _list(items, *more):
    """Return the items of an iterable or, if there are several arguments, the arguments."""
    if more or isinstance(items, Expr):
        return [items, *more]
    return _flat(items)


def _flat(items):
    ravel = getattr(items, "ravel", None)
    return list(items if ravel is None else ravel())


def sum(expressions, weights=None):  # noqa: A001 - the name of Python's own function, which it extends
    """Return the sum of expressions, each multiplied by its weight. Faster than a chain of ``+``.

    :param expressions: integer or Boolean expressions; a Boolean counts as 0 or 1
    :param weights: as many integers; all 1 by default
    :raises OverflowError: if a number exceeds 128 bits
    """
    return _sum(_flat(expressions), None if weights is None else _flat(weights))


def maximum(*expressions):
    """Return the greatest of several integer expressions."""
    return function("maximum", _list(*expressions))


def minimum(*expressions):
    """Return the least of several integer expressions."""
    return function("minimum", _list(*expressions))


def div(x, y):
    """Return the quotient of two integers, rounded towards zero. (``x // y`` rounds down, as in Python.)

    If ``y`` is 0, the comparison or constraint around the quotient is false.
    """
    return function("divide", x, y)


def rem(x, y):
    """Return the remainder of :func:`div`, which has the sign of ``x``. (``x % y`` has the sign of ``y``, as in Python.)"""
    return function("remainder", x, y)


def element(array, index):
    """Return the element of a list at an index, which is an expression and starts at 0.

    If the index is outside the list, the comparison or constraint around the element is false. Negative indices are outside.
    """
    return function("element", _flat(array), index)


def if_then_else(condition, then, otherwise):
    """Return an integer expression: ``then`` if the condition is true, and ``otherwise`` if not."""
    return function("element", [otherwise, then], condition)


def count(expressions, value):
    """Return how many of the expressions have the value, which may be an expression."""
    return function("count", _flat(expressions), value)


def among(expressions, values):
    """Return how many of the expressions have a value in a set of integers."""
    return function("among", _flat(expressions), values)


def all_of(*constraints):
    """Return the conjunction of Boolean expressions."""
    return combine("all", _list(*constraints) if constraints else [])


def any_of(*constraints):
    """Return the disjunction of Boolean expressions."""
    return combine("any", _list(*constraints) if constraints else [])


def xor(*constraints):
    """Return the constraint that an odd number of Boolean expressions is true."""
    return combine("odd", _list(*constraints) if constraints else [])


def all_different(*expressions):
    """Return the constraint that the expressions have pairwise different values."""
    return relation("fzn_all_different_int", "all_different", "I", _list(*expressions))


def all_different_except(expressions, values=(0,)):
    """Return the constraint that the expressions have different values, except those in ``values``, which may repeat."""
    values = [values] if isinstance(values, int) else values
    return relation("fzn_alldifferent_except", "all_different_except", "Is", _flat(expressions), values)


def all_equal(*expressions):
    """Return the constraint that all expressions have the same value."""
    return relation("fzn_all_equal_int", "all_equal", "I", _list(*expressions))


def member(expression, values):
    """Return the constraint that an expression has a value in a set of integers, such as ``range(5)`` or ``{1, 3}``."""
    return relation("set_in", "member", "is", expression, values)


def table(columns, rows):
    """Return the constraint that the tuple of the expressions is one of the rows.

    :param rows: tuples of integers; ``None`` or ``"*"`` stands for any value. ``~table(...)`` forbids the rows.
    """
    columns = _flat(columns)
    entries = []
    for row in rows:
        row = list(row)
        if len(row) != len(columns):
            raise ValueError(f"table: a row has {len(row)} entries instead of {len(columns)}")
        entries += row
    return relation("gordian_table_int", "table", "It", columns, entries)


def automaton(expressions, start, transitions, accepting):
    """Return the constraint that a finite automaton accepts the sequence of the expressions.

    :param start: the start state, an integer
    :param transitions: triples (state, value, next state); several transitions with the same state and value are allowed
    :param accepting: the accepting states
    """
    triples = []
    for state, value, target in transitions:
        triples += [state, value, target]
    return relation("gordian_automaton", "automaton", "IcCs", _flat(expressions), start, triples, accepting)


def regular(expressions, transitions, start, accepting):
    """Like :func:`automaton`, with states of any type, in CPMpy's order of arguments."""
    numbers = {}
    number = lambda state: numbers.setdefault(state, len(numbers))  # noqa: E731
    triples = [(number(state), value, number(target)) for state, value, target in transitions]
    return automaton(expressions, number(start), triples, [number(state) for state in accepting])


def global_cardinality(expressions, values, counts, *, closed=False):
    """Return the constraint that ``counts[i]`` of the expressions have the value ``values[i]``.

    :param counts: expressions or integers
    :param closed: whether no expression may have a value outside ``values``
    """
    name = "fzn_global_cardinality_closed" if closed else "fzn_global_cardinality"
    return relation(name, "global_cardinality", "ICI", _flat(expressions), _flat(values), _flat(counts))


def at_most(k, constraints):
    """Return the constraint that at most ``k`` of the Boolean expressions are true."""
    return sum(constraints) <= k


def at_least(k, constraints):
    """Return the constraint that at least ``k`` of the Boolean expressions are true."""
    return sum(constraints) >= k


def exactly(k, constraints):
    """Return the constraint that exactly ``k`` of the Boolean expressions are true."""
    return sum(constraints) == k


def increasing(*expressions, strict=False):
    """Return the constraint that each expression is at most the next one or, if ``strict``, less than the next one."""
    items = _list(*expressions)
    return combine("all", [a < b if strict else a <= b for a, b in zip(items, items[1:])])


def decreasing(*expressions, strict=False):
    """Return the constraint that each expression is at least the next one or, if ``strict``, greater than the next one."""
    items = _list(*expressions)
    return combine("all", [a > b if strict else a >= b for a, b in zip(items, items[1:])])


def lex_less(left, right):
    """Return the constraint that one list of integers precedes another one lexicographically."""
    return relation("fzn_lex_less_int", "lex_less", "II", _flat(left), _flat(right))


def lex_lesseq(left, right):
    """Return the constraint that one list of integers precedes or equals another one lexicographically."""
    return relation("fzn_lex_lesseq_int", "lex_lesseq", "II", _flat(left), _flat(right))


def value_precedence(expressions, values):
    """Return the constraint that each value occurs only after the one before it in ``values``."""
    return relation("fzn_value_precede_chain_int", "value_precedence", "CI", _flat(values), _flat(expressions))


def inverse(forward, reverse):
    """Return the constraint that ``forward[i] == j`` if and only if ``reverse[j] == i``. Indices start at 0."""
    return relation("gordian_inverse", "inverse", "IcIc", _flat(forward), 0, _flat(reverse), 0)


def circuit(successors):
    """Return the constraint that the successors form one circuit through all nodes. Nodes are numbered from 0."""
    return relation("gordian_circuit", "circuit", "Ic", _flat(successors), 0)


def subcircuit(successors):
    """Like :func:`circuit`, but a node that is its own successor is left out of the circuit."""
    return relation("gordian_subcircuit", "subcircuit", "Ic", _flat(successors), 0)


def connected(vertices, edges):
    """Return the constraint that the true vertices of a graph are connected. No true vertex, or one, is connected, too.

    :param vertices: a Boolean expression for each vertex
    :param edges: pairs of vertices, numbered from 0
    """
    ends = []
    for a, b in edges:
        ends += [a + 1, b + 1]
    return relation("gordian_connected", "connected", "BC", _flat(vertices), ends)


def bin_packing(bins, sizes, loads):
    """Return the constraint that the items in bin ``b`` have the total size ``loads[b]``.

    :param bins: for each item, an expression for the number of its bin, from 0
    :param sizes: for each item, its size: an integer from 0
    :param loads: for each bin, an expression or an integer
    """
    return relation("gordian_bin_packing_load", "bin_packing", "IcIC", _flat(loads), 0, _flat(bins), _flat(sizes))


def cumulative(start, duration, end=None, demand=1, capacity=1):
    """Return the constraint that at any time, the tasks that run demand at most the capacity.

    All parameters may be expressions. If ``end`` is given, ``start + duration == end`` holds for each task.

    :param duration: for each task, its duration, from 0
    :param demand: for each task, its demand, from 0; or one number for all tasks
    """
    start, duration = _flat(start), _flat(duration)
    demand = [demand] * len(start) if isinstance(demand, (int, Expr)) else _flat(demand)
    fits = relation("fzn_cumulative", "cumulative", "IIIi", start, duration, demand, capacity)
    return _with_ends(fits, start, duration, end)


def disjunctive(start, duration, end=None):
    """Return the constraint that no two tasks run at the same time. A task with duration 0 may run at any time.

    If ``end`` is given, ``start + duration == end`` holds for each task.
    """
    start, duration = _flat(start), _flat(duration)
    fits = relation("fzn_disjunctive", "disjunctive", "II", start, duration)
    return _with_ends(fits, start, duration, end)


def no_overlap(start, duration, end=None):
    """Return :func:`disjunctive`, under the name of CPMpy."""
    return disjunctive(start, duration, end)


def _with_ends(constraint, start, duration, end):
    if end is None:
        return constraint
    ends = [s + d == e for s, d, e in zip(start, duration, _flat(end), strict=True)]
    return combine("all", [constraint, *ends])


def diffn(x, y, dx, dy, *, strict=True):
    """Return the constraint that rectangles do not overlap.

    :param x, y: for each rectangle, its lower left corner
    :param dx, dy: for each rectangle, its width and height, from 0
    :param strict: whether a rectangle without area may not be inside another one
    """
    origins = [value for corner in zip(_flat(x), _flat(y), strict=True) for value in corner]
    sizes = [value for size in zip(_flat(dx), _flat(dy), strict=True) for value in size]
    name = "gordian_diffn" if strict else "gordian_diffn_nonstrict"
    return relation(name, "diffn", "cII", 2, origins, sizes)


def no_overlap_2d(x, y, dx, dy):
    """Return :func:`diffn`, in which a rectangle without area may be anywhere."""
    return diffn(x, y, dx, dy, strict=False)
