"""Random models, compared with the enumeration of all assignments.

Each expression is built twice: as an expression of gordian, and as a function of an assignment in plain Python. Undefined values
make the smallest Boolean expression around them false.
"""

import itertools
import os
import random

import gordian
import pytest

SEED = int(os.environ.get("GORDIAN_TEST_SEED", "20"))
CASES = int(os.environ.get("GORDIAN_TEST_CASES", "150"))


class Undefined(Exception):
    pass


def divide(a, b):
    """Return the quotient, rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def defined(function):
    """Return the function with exceptions for undefined values turned into `Undefined`."""

    def call(values):
        try:
            return function(values)
        except (ZeroDivisionError, IndexError):
            raise Undefined from None

    return call


class Source:
    """Draws expressions over the variables of a model."""

    def __init__(self, rng, ints, bools):
        self.rng, self.ints, self.bools = rng, ints, bools

    def number(self, depth):
        rng = self.rng
        choice = rng.randrange(14 if depth else 3)
        if choice == 0:
            value = rng.randint(-3, 3)
            return value, lambda values: value
        if choice == 1 and self.bools:
            index = rng.randrange(len(self.bools))
            return self.bools[index], lambda values: int(values[1][index])
        if choice <= 2:
            index = rng.randrange(len(self.ints))
            return self.ints[index], lambda values: values[0][index]
        (x, f), (y, g) = self.number(depth - 1), self.number(depth - 1)
        if choice == 3:
            return x + y, lambda values: f(values) + g(values)
        if choice == 4:
            return x - y, lambda values: f(values) - g(values)
        if choice == 5:
            return x * y, lambda values: f(values) * g(values)
        if choice == 6:
            return -x, lambda values: -f(values)
        if choice == 7:
            return gordian.maximum(x, y), lambda values: max(f(values), g(values))
        if choice == 8:
            return abs(x), lambda values: abs(f(values))
        if choice == 9:
            c, h = self.boolean(depth - 1)
            return gordian.if_then_else(c, x, y), lambda values: f_and_g(values, f, g)[0 if h(values) else 1]
        if choice == 10:
            z, h = self.number(depth - 1)
            return gordian.element([x, y], z), defined(lambda values: pick(f_and_g(values, f, g), h(values)))
        if not isinstance(y, gordian.Expr) and y == 0:
            return x, f
        if not isinstance(x, gordian.Expr) and not isinstance(y, gordian.Expr):
            return x, f
        if choice == 11:
            return x // y, defined(lambda values: f(values) // g(values))
        if choice == 12:
            return x % y, defined(lambda values: f(values) % g(values))
        return gordian.div(x, y), defined(lambda values: divide(f(values), g(values)))

    def boolean(self, depth):
        rng = self.rng
        choice = rng.randrange(10 if depth else 2)
        if choice == 0 and self.bools:
            index = rng.randrange(len(self.bools))
            return self.bools[index], lambda values: values[1][index]
        if choice <= 3:
            return self.comparison(depth)
        if choice == 9:
            return self.relation(depth)
        (p, f), (q, g) = self.boolean(depth - 1), self.boolean(depth - 1)
        if choice == 4:
            return p & q, lambda values: both(values, f, g, lambda a, b: a and b)
        if choice == 5:
            return p | q, lambda values: both(values, f, g, lambda a, b: a or b)
        if choice == 6:
            return p ^ q, lambda values: both(values, f, g, lambda a, b: a != b)
        if choice == 7:
            return ~p, lambda values: not f(values)
        if choice == 8:
            return p == q, lambda values: both(values, f, g, lambda a, b: a == b)
        return p.implies(q), lambda values: both(values, f, g, lambda a, b: not a or b)

    def comparison(self, depth):
        (x, f), (y, g) = self.number(max(depth - 1, 0)), self.number(max(depth - 1, 0))
        if not isinstance(x, gordian.Expr):
            x, f = self.ints[0], lambda values: values[0][0]
        index = self.rng.randrange(6)
        expr = [x == y, x != y, x <= y, x < y, x >= y, x > y][index]
        compare = ["__eq__", "__ne__", "__le__", "__lt__", "__ge__", "__gt__"][index]
        return expr, relation_of(lambda values: getattr(int(f(values)), compare)(int(g(values))))

    def relation(self, depth):
        (x, f), (y, g) = self.number(depth - 1), self.number(depth - 1)
        x, y = x + self.ints[0] * 0, y + self.ints[0] * 0
        z, index = self.ints[0], 0
        values_of = lambda values: [f(values), g(values), values[0][index]]  # noqa: E731
        choice = self.rng.randrange(4)
        if choice == 0:
            return gordian.all_different(x, y, z), relation_of(lambda values: len(set(values_of(values))) == 3)
        if choice == 1:
            rows = [tuple(self.rng.choice([-1, 0, 1, 2, None]) for _ in range(3)) for _ in range(3)]
            return gordian.table([x, y, z], rows), relation_of(
                lambda values: any(all(e in (None, v) for e, v in zip(row, values_of(values))) for row in rows)
            )
        if choice == 2:
            return gordian.count([x, y, z], 1) >= 2, relation_of(lambda values: values_of(values).count(1) >= 2)
        return gordian.member(x, {0, 2, 3}), relation_of(lambda values: f(values) in {0, 2, 3})


def relation_of(function):
    def call(values):
        try:
            return bool(function(values))
        except Undefined:
            return False

    return call


def f_and_g(values, f, g):
    return f(values), g(values)


def both(values, f, g, combine):
    return combine(bool(f(values)), bool(g(values)))


def pick(items, index):
    if index < 0:
        raise IndexError
    return items[index]


def draw(seed):
    """Return a random model, its variables, and the set of its solutions."""
    rng = random.Random(seed)
    m = gordian.Model()
    domains = [sorted(rng.sample(range(-3, 5), rng.randint(1, 4))) for _ in range(rng.randint(1, 3))]
    ints = [m.int(values=domain) for domain in domains]
    bools = [m.bool() for _ in range(rng.randint(0, 2))]
    source = Source(rng, ints, bools)
    functions = []
    for _ in range(rng.randint(1, 2)):
        expr, function = source.boolean(3)
        m += expr
        functions.append((expr, function))
    cases = itertools.product(itertools.product(*domains), itertools.product([False, True], repeat=len(bools)))
    expected = {case for case in cases if all(function(case) for _, function in functions)}
    return m, ints, bools, functions, expected


def key(solution, ints, bools):
    return tuple(solution[ints]), tuple(solution[bools])


@pytest.mark.parametrize("seed", range(SEED, SEED + CASES))
def test_random_models_have_the_solutions_of_brute_force(seed):
    m, ints, bools, functions, expected = draw(seed)
    found = [key(solution, ints, bools) for solution in m.solutions()]
    assert len(found) == len(set(found)), "each solution once"
    assert set(found) == expected, [str(expr) for expr, _ in functions]
    assert m.count() == len(expected)
    outcome = m.solve()
    assert bool(outcome) == bool(expected)
    if outcome:
        assert key(outcome.solution, ints, bools) in expected
        # Expressions have the values of the functions, too, and not only in constraints.
        assert all(outcome[expr] is True for expr, _ in functions)
    assert m.unique() == (len(expected) == 1)


@pytest.mark.parametrize("seed", range(SEED, SEED + CASES // 5))
def test_values_of_expressions_are_those_of_python(seed):
    rng = random.Random(f"values {seed}")
    m = gordian.Model()
    ints, bools = [m.int(-3, 3), m.int(-3, 3)], [m.bool()]
    source = Source(rng, ints, bools)
    solution = rng.choice(list(m.solutions()))
    case = key(solution, ints, bools)
    for _ in range(20):
        expr, function = source.number(3)
        try:
            expected = function(case)
        except Undefined:
            with pytest.raises(ValueError, match="undefined"):
                solution.value(expr)
        else:
            assert solution.value(expr) == expected, str(expr)


@pytest.mark.parametrize("seed", range(SEED, SEED + CASES // 5))
def test_optima_and_backbones_are_those_of_brute_force(seed):
    m, ints, bools, _, expected = draw(f"optimum {seed}")
    rng = random.Random(f"weights {seed}")
    weights = [rng.randint(-3, 3) for _ in ints]
    objective = gordian.sum(ints, weights)
    value = lambda case: sum(weight * x for weight, x in zip(weights, case[0]))  # noqa: E731
    for maximize in (False, True):
        (m.maximize if maximize else m.minimize)(objective)
        outcome = m.solve()
        if not expected:
            assert outcome.status == "none"
        else:
            best = (max if maximize else min)(map(value, expected))
            assert (outcome.status, outcome.objective, outcome.bound) == ("optimal", best, best)
            assert value(key(outcome.solution, ints, bools)) == best
    backbone = m.backbone()
    possible = {str(variable): values for variable, values in backbone.possible}
    for index, x in enumerate(ints):
        values = sorted({case[0][index] for case in expected})
        if expected:
            assert possible[str(x)] == values
    forced = {str(variable): value for variable, value in backbone.forced}
    for index, x in enumerate(ints):
        values = {case[0][index] for case in expected}
        assert forced.get(str(x)) == (values.pop() if len(values) == 1 else None)
