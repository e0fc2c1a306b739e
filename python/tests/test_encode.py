"""Encodings, compared with brute force on the literals, and with PySAT where it is installed."""

import itertools
import random

import pytest
from gordian import encode

LITS = [1, -2, 3, 4, -5]


def propagated(clauses, assignment):
    """Return whether some model of the clauses extends an assignment. Small formulas: DPLL."""
    values = {abs(lit): lit > 0 for lit in assignment}
    clauses = [list(clause) for clause in clauses]
    while True:
        unit = None
        rest = []
        for clause in clauses:
            if any(values.get(abs(lit)) == (lit > 0) for lit in clause):
                continue
            open_lits = [lit for lit in clause if abs(lit) not in values]
            if not open_lits:
                return False
            if len(open_lits) == 1:
                unit = open_lits[0]
            rest.append(clause)
        if not rest:
            return True
        if unit is None:
            lit = next(lit for lit in rest[0] if abs(lit) not in values)
            known = [v if holds else -v for v, holds in values.items()]
            return any(propagated(rest, [*known, choice]) for choice in (lit, -lit))
        values[abs(unit)] = unit > 0
        clauses = rest


def meaning(clauses, lits):
    """Return the assignments of the literals' variables that extend to a model."""
    variables = sorted({abs(lit) for lit in lits})
    cases = itertools.product([False, True], repeat=len(variables))
    signed = lambda case: [v if holds else -v for v, holds in zip(variables, case)]  # noqa: E731
    return {tuple(signed(case)) for case in cases if propagated(clauses, signed(case))}


def expected(lits, weights, least, most):
    variables = sorted({abs(lit) for lit in lits})
    result = set()
    for case in itertools.product([False, True], repeat=len(variables)):
        values = dict(zip(variables, case))
        total = sum(weight for lit, weight in zip(lits, weights) if values[abs(lit)] == (lit > 0))
        if least <= total <= most:
            result.add(tuple(v if values[v] else -v for v in variables))
    return result


ONES = [1] * len(LITS)


@pytest.mark.parametrize("encoding", [None, "auto", *encode.names("cardinality")])
@pytest.mark.parametrize("k", [0, 1, 2, 4, 5, 6])
def test_cardinality(encoding, k):
    cases = {encode.at_most_k: (0, k), encode.at_least_k: (k, 9), encode.exactly_k: (k, k)}
    for function, (least, most) in cases.items():
        try:
            cnf = function(LITS, k, encoding=encoding, top_id=20)
        except ValueError as error:
            # An encoding that does not apply to a constraint says so.
            assert encoding not in (None, "auto", "totalizer", "sequential-counter") and "apply" in str(error)
            continue
        assert meaning(cnf.clauses, LITS) == expected(LITS, ONES, least, most)
        used = {abs(lit) for clause in cnf.clauses for lit in clause}
        assert all(variable <= 5 or 20 < variable <= cnf.nv for variable in used)
        assert cnf.nv == cnf.top_id >= 20


@pytest.mark.parametrize("encoding", encode.names("at-most-one"))
def test_at_most_one_and_exactly_one(encoding):
    assert meaning(encode.at_most_k(LITS, 1, encoding).clauses, LITS) == expected(LITS, ONES, 0, 1)
    assert meaning(encode.exactly_k(LITS, 1, encoding).clauses, LITS) == expected(LITS, ONES, 1, 1)


@pytest.mark.parametrize("encoding", [None, *encode.names("linear")])
def test_pseudo_boolean(encoding):
    rng = random.Random(f"weights {encoding}")
    applied = 0
    for _ in range(12):
        weights = [rng.randint(-4, 6) for _ in LITS]
        bound = rng.randint(-5, 12)
        for function, least, most in [
            (encode.at_most, -99, bound),
            (encode.at_least, bound, 99),
            (encode.equals, bound, bound),
        ]:
            try:
                cnf = function(LITS, weights, bound, encoding=encoding)
            except ValueError as error:
                assert encoding is not None and "apply" in str(error)
                continue
            applied += 1
            assert meaning(cnf.clauses, LITS) == expected(LITS, weights, least, most)
    assert applied > 0


def test_counting_encodings_have_one_model_for_each_assignment():
    cnf = encode.at_most_k([1, 2, 3, 4], 2, encoding="sequential-counter", count=True)
    free = list(range(1, cnf.nv + 1))
    models = [case for case in itertools.product([False, True], repeat=len(free)) if holds(cnf.clauses, case)]
    assert len(models) == 1 + 4 + 6


def holds(clauses, case):
    return all(any(case[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)


def test_between_and_dimacs():
    cnf = encode.between([1, 2, 3], 1, 2)
    assert meaning(cnf, [1, 2, 3]) == expected([1, 2, 3], [1, 1, 1], 1, 2)
    lines = cnf.to_dimacs().splitlines()
    assert lines[0] == f"p cnf {cnf.nv} {len(cnf)}" and all(line.endswith(" 0") for line in lines[1:])
    assert "cardinality=" in repr(cnf)


def test_an_impossible_bound_is_the_empty_clause():
    assert [] in encode.at_least_k([1, 2], 3).clauses
    assert encode.at_most_k([1, 2], 2).clauses == []


def test_the_incremental_totalizer():
    counter = encode.IncrementalTotalizer(LITS, top_id=9)
    seen = []
    for k in (4, 2, 3, 0):
        assumption, clauses = counter.at_most(k)
        seen += clauses
        assert seen == counter.clauses
        assert meaning([*seen, [assumption]], LITS) == expected(LITS, ONES, 0, k)
    assert counter.at_most(5) == (None, [])
    assert counter.nv > 9


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: encode.at_most_k([1, 2, 3], 2, encoding="totaliser"), "totalizer"),
        (lambda: encode.at_most_k([1, 0], 1), "found 0"),
        (lambda: encode.at_most([1, 2], [1], 1), "1 weights for 2"),
        (lambda: encode.at_most([1, 2], [1, 2], 1, encoding="pairwise"), "order"),
        (lambda: encode.names("cardinal"), "cardinality"),
        (lambda: encode.at_most_k([1, 2**40], 1), "literals"),
    ],
)
def test_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_pysat_solves_an_encoded_formula():
    solvers = pytest.importorskip("pysat.solvers")
    lits = list(range(1, 21))
    cnf = encode.exactly_k(lits, 7, encoding="totalizer")
    odd = encode.at_most_k(lits[::2], 2, encoding="cardinality-network", top_id=cnf.top_id)
    with solvers.Solver("cadical153") as solver:
        solver.append_formula(cnf.clauses)
        solver.append_formula(odd.clauses)
        assert solver.solve()
        model = {lit for lit in solver.get_model() if lit > 0}
        assert len(model & set(lits)) == 7 and len(model & set(lits[::2])) <= 2
        assert not solver.solve(assumptions=lits[:5] + [-lit for lit in lits[5:]])
