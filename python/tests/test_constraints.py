"""Each constraint, compared with its definition on all assignments: as it is, negated, and under a condition."""

import itertools

import gordian
import pytest


def is_circuit(successors, sub=False):
    n = len(successors)
    if any(not 0 <= s < n for s in successors) or len(set(successors)) < n:
        return False
    start = next((i for i in range(n) if successors[i] != i), None) if sub else 0
    if start is None:
        return True
    node, seen = start, set()
    while node not in seen:
        seen.add(node)
        node = successors[node]
    return len(seen) == (sum(s != i for i, s in enumerate(successors)) if sub else n)


def is_connected(chosen, edges):
    chosen = {i for i, value in enumerate(chosen) if value}
    if not chosen:
        return True
    seen, todo = set(), [min(chosen)]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [b for a, b in edges + [(b, a) for a, b in edges] if a == node and b in chosen]
    return seen == chosen


def fits(starts, durations, demands, capacity):
    times = range(min(starts), max(s + d for s, d in zip(starts, durations)) + 1)
    load = lambda t: sum(r for s, d, r in zip(starts, durations, demands) if s <= t < s + d)  # noqa: E731
    return all(load(t) <= capacity for t in times)


def accepts(word):
    """Whether a word of 0 and 1 has no two successive 1."""
    return all(x in (0, 1) for x in word) and all(a + b < 2 for a, b in zip(word, word[1:]))


def precedes(values, order):
    for earlier, later in zip(order, order[1:]):
        first = {v: values.index(v) if v in values else len(values) for v in (earlier, later)}
        if later in values and first[earlier] > first[later]:
            return False
    return True


PATH = [(0, 1), (1, 2), (2, 3)]
CASES = {
    "all_different": (3, range(3), lambda x: gordian.all_different(x), lambda v: len(set(v)) == 3),
    "all_different, arguments": (2, range(3), lambda x: gordian.all_different(*x), lambda v: v[0] != v[1]),
    "all_different_except": (
        3,
        range(3),
        lambda x: gordian.all_different_except(x, 1),
        lambda v: all(a != b or a == 1 for a, b in itertools.combinations(v, 2)),
    ),
    "all_equal": (3, range(3), gordian.all_equal, lambda v: len(set(v)) == 1),
    "member": (1, range(-2, 5), lambda x: gordian.member(x[0], {-1, 2, 3}), lambda v: v[0] in {-1, 2, 3}),
    "member of a range": (1, range(-2, 5), lambda x: gordian.member(x[0], range(1, 3)), lambda v: v[0] in {1, 2}),
    "table": (
        2,
        range(3),
        lambda x: gordian.table(x, [(0, 1), (2, None), ("*", 0)]),
        lambda v: v == (0, 1) or v[0] == 2 or v[1] == 0,
    ),
    "automaton": (
        4,
        range(3),
        lambda x: gordian.automaton(x, 0, [(0, 0, 0), (0, 1, 1), (1, 0, 0)], [0, 1]),
        accepts,
    ),
    "regular": (
        4,
        range(3),
        lambda x: gordian.regular(x, [("a", 0, "a"), ("a", 1, "b"), ("b", 0, "a")], "a", ["a", "b"]),
        accepts,
    ),
    "global_cardinality": (
        4,
        range(3),
        lambda x: gordian.global_cardinality(x[:3], [0, 2], [x[3], 1]),
        lambda v: v[:3].count(0) == v[3] and v[:3].count(2) == 1,
    ),
    "global_cardinality, closed": (
        3,
        range(3),
        lambda x: gordian.global_cardinality(x, [0, 2], [1, 2], closed=True),
        lambda v: v.count(0) == 1 and v.count(2) == 2,
    ),
    "count of an expression": (4, range(3), lambda x: gordian.count(x[:3], x[3]) == 2, lambda v: v[:3].count(v[3]) == 2),
    "among": (3, range(4), lambda x: gordian.among(x, [1, 3]) == 2, lambda v: sum(e in (1, 3) for e in v) == 2),
    "at_most": (3, range(3), lambda x: gordian.at_most(1, [e == 0 for e in x]), lambda v: v.count(0) <= 1),
    "at_least": (3, range(3), lambda x: gordian.at_least(2, [e == 0 for e in x]), lambda v: v.count(0) >= 2),
    "exactly": (3, range(3), lambda x: gordian.exactly(2, [e == 0 for e in x]), lambda v: v.count(0) == 2),
    "increasing": (3, range(3), gordian.increasing, lambda v: v[0] <= v[1] <= v[2]),
    "strictly increasing": (3, range(4), lambda x: gordian.increasing(x, strict=True), lambda v: v[0] < v[1] < v[2]),
    "decreasing": (3, range(3), gordian.decreasing, lambda v: v[0] >= v[1] >= v[2]),
    "strictly decreasing": (3, range(4), lambda x: gordian.decreasing(x, strict=True), lambda v: v[0] > v[1] > v[2]),
    "lex_less": (4, range(3), lambda x: gordian.lex_less(x[:2], x[2:]), lambda v: v[:2] < v[2:]),
    "lex_lesseq": (4, range(3), lambda x: gordian.lex_lesseq(x[:2], x[2:]), lambda v: v[:2] <= v[2:]),
    "value_precedence": (
        4,
        range(4),
        lambda x: gordian.value_precedence(x, [2, 0, 3]),
        lambda v: precedes(v, [2, 0, 3]),
    ),
    "inverse": (
        4,
        range(-1, 3),
        lambda x: gordian.inverse(x[:2], x[2:]),
        lambda v: all(0 <= e < 2 for e in v) and all(v[2 + v[i]] == i and v[v[2 + i]] == i for i in range(2)),
    ),
    "circuit": (4, range(4), gordian.circuit, is_circuit),
    "subcircuit": (4, range(4), gordian.subcircuit, lambda v: is_circuit(v, sub=True)),
    "connected": (
        4,
        range(2),
        lambda x: gordian.connected([e == 1 for e in x], PATH),
        lambda v: is_connected(v, PATH),
    ),
    "bin_packing": (
        4,
        range(3),
        lambda x: gordian.bin_packing(x[:3], [1, 2, 1], [x[3], 3]),
        lambda v: all(b < 2 for b in v[:3])
        and sum(s for b, s in zip(v, [1, 2, 1]) if b == 0) == v[3]
        and sum(s for b, s in zip(v[:3], [1, 2, 1]) if b == 1) == 3,
    ),
    "cumulative": (
        3,
        range(4),
        lambda x: gordian.cumulative(x, [2, 1, 2], demand=[1, 2, 1], capacity=2),
        lambda v: fits(v, [2, 1, 2], [1, 2, 1], 2),
    ),
    "cumulative with ends": (
        4,
        range(4),
        lambda x: gordian.cumulative(x[:2], [x[2], 1], [x[3], x[1] + 1]),
        lambda v: fits(v[:2], [v[2], 1], [1, 1], 1) and v[0] + v[2] == v[3],
    ),
    "disjunctive": (3, range(4), lambda x: gordian.disjunctive(x, [2, 0, 1]), lambda v: not (v[0] <= v[2] < v[0] + 2)),
    "no_overlap": (2, range(4), lambda x: gordian.no_overlap(x, [2, 2]), lambda v: abs(v[0] - v[1]) >= 2),
    "diffn": (
        4,
        range(3),
        lambda x: gordian.diffn(x[:2], x[2:], [1, 2], [2, 1]),
        lambda v: v[0] + 1 <= v[1] or v[1] + 2 <= v[0] or v[2] + 2 <= v[3] or v[3] + 1 <= v[2],
    ),
    "no_overlap_2d": (2, range(3), lambda x: gordian.no_overlap_2d(x, [0, 0], [0, 2], [1, 1]), lambda v: True),
    "xor": (3, range(2), lambda x: gordian.xor([e == 1 for e in x]), lambda v: sum(v) % 2 == 1),
    "all_of": (2, range(3), lambda x: gordian.all_of(x[0] < 2, x[1] > 0), lambda v: v[0] < 2 and v[1] > 0),
    "any_of": (2, range(3), lambda x: gordian.any_of([x[0] < 1, x[1] > 1]), lambda v: v[0] < 1 or v[1] > 1),
    "any_of nothing": (1, range(3), lambda x: gordian.any_of([]), lambda v: False),
    "all_of nothing": (1, range(3), lambda x: gordian.all_of([]), lambda v: True),
    "minimum": (3, range(3), lambda x: gordian.minimum(x) == 1, lambda v: min(v) == 1),
    "rem": (2, range(-4, 5), lambda x: gordian.rem(x[0], x[1]) == -1, lambda v: v[1] != 0 and v[0] < 0 and -v[0] % abs(v[1]) == 1),
    "power": (2, range(0, 4), lambda x: (x[0] - 2) ** x[1] == 1, lambda v: (v[0] - 2) ** v[1] == 1),
    "element of constants": (1, range(-2, 6), lambda x: gordian.element([5, 7, 5], x[0]) == 5, lambda v: v[0] in (0, 2)),
}


def solutions(size, domain, build):
    m = gordian.Model()
    x = [m.int(values=domain) for _ in range(size)]
    b = m.bool()
    m += build(x, b)
    return {(*solution[x], solution[b]) for solution in m.solutions()}


@pytest.mark.parametrize("name", CASES)
def test_a_constraint_means_its_definition(name):
    size, domain, build, holds = CASES[name]
    cases = [(*values, b) for values in itertools.product(domain, repeat=size) for b in (False, True)]
    expected = lambda rule: {case for case in cases if rule(holds(case[:-1]), case[-1])}  # noqa: E731
    assert solutions(size, domain, lambda x, b: build(x)) == expected(lambda c, b: c)
    assert solutions(size, domain, lambda x, b: ~build(x)) == expected(lambda c, b: not c)
    assert solutions(size, domain, lambda x, b: b.implies(build(x))) == expected(lambda c, b: c or not b)
    assert solutions(size, domain, lambda x, b: b == build(x)) == expected(lambda c, b: c == b)
    # The value of the constraint in a solution, too.
    m = gordian.Model()
    x = [m.int(values=domain) for _ in range(size)]
    constraint = build(x)
    for solution in m.solutions(limit=50):
        assert solution[constraint] is holds(tuple(solution[x])), solution


def test_every_public_constraint_is_tested():
    functions = set(gordian._constraints.__dict__) & set(gordian.__all__)
    elsewhere = {"div", "sum", "maximum", "if_then_else", "Expr"}
    tested = {name.split()[0].rstrip(",") for name in CASES}
    assert functions - elsewhere - tested == set()
