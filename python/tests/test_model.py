"""Models: the interface, errors, limits, interrupts and threads."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import gordian
import pytest


def hard(pigeons=11):
    """Return a model without a solution that takes long to refute: more pigeons than holes, as clauses."""
    m = gordian.Model()
    x = [[m.bool() for _ in range(pigeons - 1)] for _ in range(pigeons)]
    m += [gordian.any_of(row) for row in x]
    for column in zip(*x):
        m += [~a | ~b for i, a in enumerate(column) for b in column[:i]]
    return m


def long_optimisation(n=8):
    """Return a model and its objective. Solutions are found at once, but the optimum takes long to prove: a Golomb ruler."""
    m = gordian.Model()
    marks = [m.int(0, 45) for _ in range(n)]
    m += marks[0] == 0
    m += gordian.increasing(marks, strict=True)
    m += gordian.all_different([b - a for i, a in enumerate(marks) for b in marks[i + 1 :]])
    m.minimize(marks[-1])
    return m, marks[-1]


def test_send_more_money():
    m = gordian.Model()
    s, e, n, d, o, r, y = (m.int(0, 9, name) for name in "sendory")
    one = m.int(1, 9, "m")
    m += [gordian.all_different(s, e, n, d, one, o, r, y), s >= 1]
    send, more = 1000 * s + 100 * e + 10 * n + d, 1000 * one + 100 * o + 10 * r + e
    m += send + more == 10000 * one + 1000 * o + 100 * n + 10 * e + y
    outcome = m.solve()
    assert outcome.status == "solved"
    assert (outcome[send], outcome[more]) == (9567, 1085)
    assert m.unique() and m.count() == 1
    assert {str(x): v for x, v in m.backbone().forced}["y"] == 2
    assert outcome.solution.to_dict()["m"] == 1
    assert "s=9" in repr(outcome)


def test_the_objective():
    m = gordian.Model()
    x, y = m.int(0, 9, "x"), m.int(0, 9, "y")
    m += 2 * x + y <= 7
    m.maximize(x + 3 * y - 1)
    seen = []
    outcome = m.solve(callback=lambda solution, value, bound: seen.append((solution, value, bound)))
    assert (outcome.status, outcome.objective, outcome.bound, outcome[x], outcome[y]) == ("optimal", 20, 20, 0, 7)
    values = [value for solution, value, _ in seen if solution is not None]
    assert values == sorted(set(values)) and values[-1] == 20
    assert all(solution[x + 3 * y - 1] == value for solution, value, _ in seen if solution is not None)
    assert outcome.progress and "svg" in outcome._repr_html_()
    m.minimize(x - y)
    assert m.optimize().objective == -7
    assert m.satisfy().status == "solved"
    m.remove_objective()
    with pytest.raises(ValueError, match="no objective"):
        m.optimize()


@pytest.mark.parametrize("strategy", ["sat-unsat", "unsat-sat", "core-guided", "binary"])
def test_strategies(strategy):
    m = gordian.Model()
    x = [m.int(0, 5) for _ in range(4)]
    m += gordian.all_different(x)
    m.minimize(gordian.sum(x, [3, 1, 2, 5]))
    assert m.solve(strategy=strategy, seed=3, threads=2).objective == 0 * 5 + 1 * 3 + 2 * 2 + 3 * 1


def test_solutions_can_be_left_early():
    m = gordian.Model()
    x = [m.int(0, 9) for _ in range(10)]
    threads = threading.active_count()
    iterator = m.solutions()
    assert next(iterator)[x] != next(iterator)[x]
    del iterator
    assert len(list(m.solutions(limit=7))) == 7
    assert threading.active_count() == threads


def test_projection():
    m = gordian.Model()
    x, y = m.int(0, 3, "x"), m.int(0, 3, "y")
    m += x + y >= 3
    assert sorted(solution[x] for solution in m.solutions(over=[x])) == [0, 1, 2, 3]
    assert (m.count(), m.count(over=[x])) == (10, 4)
    total, counts = m.count_values()
    assert total == 10 and {str(v): c for v, c in counts}["x"] == {0: 1, 1: 2, 2: 3, 3: 4}


def test_counts_exceed_64_bits():
    m = gordian.Model()
    for _ in range(100):
        m.int(0, 9)
    assert m.count() == 10**100


def test_samples():
    m = gordian.Model()
    x = m.int(0, 3)
    m += x != 2
    draws = [solution[x] for solution in m.sample(300, seed=5)]
    assert [solution[x] for solution in m.sample(300, seed=5)] == draws
    # Each value has the probability 1/3; fewer than 60 of 300 have a probability below 1e-6.
    assert all(draws.count(value) > 60 for value in (0, 1, 3)) and 2 not in draws
    m += x > 3
    assert m.sample(3) == []


def test_the_constraints_to_blame():
    m = gordian.Model()
    x, y, z = m.int(0, 9, "x"), m.int(0, 9, "y"), m.int(0, 9, "z")
    m.add(x < y, name="order")
    m += z == abs(x - y) // 2
    m += y < z
    m.add([z < x, x + y >= 2], name="both")
    conflict = m.why()
    # Half the distance of x and y is at most y, so the constraints called "both" are not to blame.
    assert sorted(conflict) == ["order", "y - z <= -1", "z - abs(x - y) // 2 == 0"]
    assert conflict.smallest and conflict.minimal and len(conflict.constraints) == 3
    assert sorted(m.why(fewest=False)) == sorted(conflict)
    assert gordian.Model().why() is None


def test_assumptions_and_cores():
    m = gordian.Model()
    x = m.int(0, 9, "x")
    a, b, c = m.bool("a"), m.bool("b"), m.bool("c")
    m += [a.implies(x >= 5), b.implies(x <= 4), c.implies(x == 7)]
    assert m.solve(assumptions=[a, c])[x] == 7
    with pytest.raises(ValueError, match="no assumptions"):
        m.core()
    assert not m.solve(assumptions=[c, a, b])
    core = m.core()
    assert len(core) == 2 and any(lit is b for lit in core)
    assert m.solve(assumptions=[~a, ~c])
    assert not m.solve(assumptions=[~a, x > 4, x < 3])
    assert 1 <= len(m.core()) <= 2


def test_hints_decide_what_is_found_first():
    m = gordian.Model()
    x = [m.int(0, 9) for _ in range(5)]
    b = m.bool()
    m += gordian.sum(x) + b >= 7
    wanted = [3, 1, 4, 0, 5]
    m.hint([*zip(x, wanted), (b, 1)])
    outcome = m.solve()
    # A hint is advice: what follows from other decisions may differ.
    assert sum(a == b for a, b in zip(outcome[x], wanted)) >= 4 and outcome[b] is True
    m.hint(dict(zip(x, reversed(wanted))))
    assert sum(a == b for a, b in zip(m.solve()[x], reversed(wanted))) >= 4


def test_domains():
    m = gordian.Model()
    x, y, z = m.int(values=[1, 5, 9]), m.int(-(2**100), 2**100), m.int(0, name="z")
    m += [y == 2**90 * x, z >= 5, z <= 6]
    assert sorted((s[x], s[y] // 2**90, s[z]) for s in m.solutions()) == [(v, v, w) for v in (1, 5, 9) for w in (5, 6)]
    n = gordian.Model()
    u, v = n.int(), n.int(hi=3)
    n += [u * u == 49, u < v, u + v == -5]
    assert [(s[u], s[v]) for s in n.solutions()] == [(-7, 2)]


def test_arrays():
    np = pytest.importorskip("numpy")
    m = gordian.Model()
    x = m.int(0, 9, "x", shape=(2, 3))
    assert str(x[1, 2]) == "x[1,2]"
    m += x.sum(axis=0) == np.array([3, 4, 5])
    m += x[0] < x[1]
    m += (x[0] == 1) | ~(x[1] >= 3)
    m += (x[0, 0] == 1).implies(x[1, 0] == np.int64(2))
    values = m.solve()[x]
    assert isinstance(values, np.ndarray) and values.shape == (2, 3)
    assert list(values.sum(axis=0)) == [3, 4, 5] and (values[0] < values[1]).all()
    assert ((values[0] == 1) | (values[1] < 3)).all()
    plain = np.array([m.int(0, 1), m.int(0, 1)])
    assert str((plain * 2 + np.int64(1))[0]).startswith("2*x")
    assert str(np.int64(3) * plain[0]).startswith("3*x")
    assert str((gordian.array(plain) <= 0)[1]).endswith("<= 0")
    with pytest.raises(TypeError, match="gordian.array"):
        plain <= 0
    b = m.bool("b", shape=3)
    m += b[0] & b[1] ^ b[2]
    m += gordian.sum(b) == 2
    assert m.solve()


def test_sums_in_a_loop_share_their_terms():
    m = gordian.Model()
    x = [m.int(0, 1) for _ in range(20000)]
    total, other = 0, None
    for index, item in enumerate(x):
        total = total + item
        if index == 2:
            other = total
    # A prefix of the sum is not changed by what follows.
    assert str(other) == "x1 + x2 + x3" and str(other + x[9]) == "x1 + x2 + x3 + x10"
    assert str(sum(x[:3])) == str(other)
    m += total == 20000
    assert m.solve()[x[-1]] == 1


def test_batches_of_linear_constraints():
    m = gordian.Model()
    x = [m.int(0, 5) for _ in range(3)]
    m.add_linear(x, [[(0, 1), (1, 2)], [(2, -1)]], "<=", [4, -3])
    m.add_linear(x, [[(0, 1)]], ">", [1])
    expected = {(a, b, c) for a in range(6) for b in range(6) for c in range(6) if a + 2 * b <= 4 and c >= 3 and a > 1}
    assert {tuple(s[x]) for s in m.solutions()} == expected
    for wrong in ([[(3, 1)]], "=<", [1]), ([[(0, 1)]], "<=", [1, 2]), ([[(0, 1)]] * 2, "<=", [1]):
        with pytest.raises(ValueError):
            m.add_linear(x, *wrong)


@pytest.mark.parametrize(
    ("build", "error", "text"),
    [
        (lambda m, x, b: x | b, TypeError, "integer expression x"),
        (lambda m, x, b: m.add(x), TypeError, "compare it"),
        (lambda m, x, b: m.add("x < 1"), TypeError, "found str"),
        (lambda m, x, b: x + 0.5, TypeError, "unsupported operand"),
        (lambda m, x, b: x == "1", TypeError, "found str"),
        (lambda m, x, b: x == None, TypeError, "found NoneType"),  # noqa: E711
        (lambda m, x, b: bool(x < 1), TypeError, "no truth value"),
        (lambda m, x, b: x // 0, ZeroDivisionError, "divisor"),
        (lambda m, x, b: m.add(x ** (x - 1) == 1), ValueError, "exponent"),
        (lambda m, x, b: m.int(3, 2), ValueError, "exceeds"),
        (lambda m, x, b: m.int(values=[]), ValueError, "at least one value"),
        (lambda m, x, b: m.int(0, 2**127), OverflowError, "128 bits"),
        (lambda m, x, b: m.int(0, 2**127 - 1), OverflowError, "bounds range"),
        (lambda m, x, b: m.int(0.5, 1), TypeError, "float"),
        (lambda m, x, b: (2**126 * x) + (2**126 * x) * 4, OverflowError, "128 bits"),
        (lambda m, x, b: m.add(gordian.Model().int(0, 1, "y") == x), ValueError, "`y` belongs to another model"),
        (lambda m, x, b: m.solve(timelimit=3), TypeError, "time_limit"),
        (lambda m, x, b: m.solve(time_limit=-1), ValueError, "seconds"),
        (lambda m, x, b: m.solve(solver="minista"), ValueError, "minisat"),
        (lambda m, x, b: m.solve(strategy="best"), ValueError, "core-guided"),
        (lambda m, x, b: m.solve(encodings={"cardinality": "totaliser"}), ValueError, "totalizer"),
        (lambda m, x, b: m.solve(encodings="cardinal=totalizer"), ValueError, "cardinality"),
        (lambda m, x, b: m.solve(threads=0), ValueError, "threads"),
        (lambda m, x, b: m.export("smt"), ValueError, "dimacs"),
        (lambda m, x, b: gordian.table([x], [(1, 2)]), ValueError, "2 entries instead of 1"),
        (lambda m, x, b: gordian.maximum([]), ValueError, "empty"),
        (lambda m, x, b: m.solve()[gordian.Model().int(0, 1)], KeyError, "no value"),
        (lambda m, x, b: m.solve()["x"], TypeError, "found str"),
        (lambda m, x, b: m.maximize(3 // (x - 3)), ValueError, "may be undefined"),
        (lambda m, x, b: m.hint([(x + 1, 2)]), TypeError, "expected a variable"),
    ],
)
def test_errors(build, error, text):
    m = gordian.Model()
    x, b = m.int(0, 5, "x"), m.bool("b")
    with pytest.raises(error, match=text):
        build(m, x, b)
    # The model is as before.
    assert m.count() == 12


def test_overflow_in_a_constraint_is_an_exception():
    m = gordian.Model()
    x = m.int(-(2**120), 2**120, "x")
    with pytest.raises(OverflowError):
        m += x * x * x == 1
    m += x == 5
    assert m.solve()[x] == 5


@pytest.mark.parametrize("inside", [False, True])
def test_a_panic_becomes_an_exception_with_its_place(inside, capfd):
    with pytest.raises(gordian.InternalError, match=r"bug in gordian.*run\.rs:\d+[\s\S]*provoked") as caught:
        gordian._core.provoke_panic(inside)
    assert isinstance(caught.value, RuntimeError)
    assert capfd.readouterr().err == ""


def test_numbers_at_the_limits():
    m = gordian.Model()
    x, y = m.int(-(2**127) + 1, 2**127 - 2, "x"), m.int(0, 3, "y")
    for build in (lambda: x + y <= 0, lambda: (x >= 2**126) | (2**64 * x <= 1), lambda: x <= -(2**127)):
        with pytest.raises(OverflowError):
            m += build()
    z = m.int(-(2**120), 2**120, "z")
    m += (z <= 5) & (z >= 2**120 - 7) | (z == -(2**120))
    assert [solution[z] for solution in m.solutions(over=[z])] == [-(2**120)]


def test_nesting_is_limited():
    m = gordian.Model()
    x = m.int(0, 5)
    expr = x
    with pytest.raises(RecursionError, match="variable"):
        for _ in range(1000):
            expr = abs(expr - 1)
    deep = x
    for _ in range(300):
        deep = abs(deep - 1)
    m += deep == 0
    assert m.solve()[x] in (0, 2, 4)
    with pytest.raises(LookupError, match="no solution"):
        n = gordian.Model()
        n += n.bool() & False
        n.solve().value(x)


def test_limits():
    outcome = hard().solve(time_limit=0.2)
    assert outcome.status == "stopped" and not outcome
    with pytest.raises(gordian.LimitReached):
        hard().unique(time_limit=0.2)
    with pytest.raises(gordian.LimitReached):
        hard().why(time_limit=0.2)
    assert hard().solve(conflicts=10).status == "stopped"
    m, cost = long_optimisation()
    # The limit holds for each call of the SAT solver, and the first call finds a solution with fewer conflicts.
    outcome = m.solve(conflicts=300)
    assert outcome.status == "stopped" and outcome.objective == outcome[cost] > outcome.bound
    m = gordian.Model()
    x = [m.int(0, 9) for _ in range(30)]
    with pytest.raises(gordian.LimitReached):
        for solution in m.solutions(time_limit=0.2):
            assert solution[x[0]] <= 9


def test_a_callback_can_stop_the_search():
    m, cost = long_optimisation()

    class Enough(Exception):
        pass

    def callback(solution, value, bound):
        if solution is not None:
            raise Enough

    with pytest.raises(Enough):
        m.solve(callback=callback)
    assert m.outcome and m.outcome.objective == m.outcome[cost]


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_stops_the_search_and_keeps_the_best_solution():
    m, cost = long_optimisation()
    found = threading.Event()

    def interrupt():
        found.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        m.solve(callback=lambda solution, *_: found.set() if solution is not None else None)
    thread.join()
    assert m.outcome.status == "stopped" and m.outcome.objective == m.outcome[cost]
    # The next query is not affected.
    assert m.satisfy()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT] if os.name != "nt" else [])
def test_a_killed_process_leaves_no_process(number):
    script = textwrap.dedent("""
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_model import hard
        print("ready", flush=True)
        hard(14).solve()
    """)
    here = os.path.dirname(os.path.abspath(__file__))
    process = subprocess.Popen([sys.executable, "-c", script, here], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.5)
        process.send_signal(number)
        assert process.wait(20) != 0
    finally:
        process.kill()


def test_the_interpreter_is_free_during_a_search():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    hard(12).solve(time_limit=1)
    end = time.perf_counter()
    stop.set()
    thread.join()
    assert sum(start < tick < end for tick in ticks) >= 10


def test_two_threads_can_use_one_model():
    m = gordian.Model()
    x = [m.int(0, 3) for _ in range(4)]
    m += gordian.all_different(x)
    errors, counts = [], []

    def work(index):
        try:
            for _ in range(20):
                counts.append(m.count())
                m.add(x[index] + m.int(0, 0) <= 3)
                assert m.solve()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and set(counts) == {24} and len(m.constraints) == 81


def test_proofs(tmp_path):
    m = gordian.Model()
    x, y = m.int(0, 9, "x"), m.int(0, 9, "true")
    m += [x + y == 7, x - y >= 3]
    m.minimize(3 * x - y)
    outcome = m.prove(tmp_path / "best")
    assert (outcome.status, outcome.claim, outcome.objective, outcome[x]) == ("optimal", "optimal", 13, 5)
    names = {path.name for path in (tmp_path / "best").iterdir()}
    assert names == {"README.md", "board.fzn", "claim.json", "formula.opb", "proof.pbp"}
    assert m.prove(tmp_path / "unique", query="unique").claim is None
    m += x == 6
    assert m.prove(tmp_path / "unique", query="unique").claim == "unique"
    m += x == 5
    outcome = m.prove(tmp_path / "none")
    assert (outcome.status, outcome.claim) == ("none", "no-solution")


def test_exports(tmp_path):
    m = gordian.Model()
    x, y = m.int(0, 2, "x"), m.int(0, 2, "y 1")
    m += x < y
    text = m.export("dimacs", counting=True)
    assert "p cnf" in text and "= y 1<=1" in text
    assert m.export("flatzinc", tmp_path / "m.fzn") is None
    flatzinc = (tmp_path / "m.fzn").read_text()
    assert "var 0..2: y_1" in flatzinc and "solve satisfy;" in flatzinc
    count = subprocess.run(
        [sys.executable, "-m", "gordian", "solve", str(tmp_path / "m.fzn"), "--count"], capture_output=True, text=True, check=True
    )
    assert "3" in count.stdout
    m.maximize(x)
    assert m.export("wcnf").startswith("c ") and "* #variable=" in m.export("opb")


def test_the_command_line():
    run = lambda *words: subprocess.run([sys.executable, "-m", "gordian", *words], capture_output=True, text=True)  # noqa: E731
    assert gordian.__version__ in run("--version").stdout
    assert run("solve", "no such file").returncode == 2


def test_the_installation_for_minizinc(tmp_path):
    path = gordian.minizinc_install(tmp_path)
    text = open(path).read()
    assert "gordian" in text and (tmp_path / "gordian").is_dir()


def test_the_import_loads_no_other_package():
    code = "import sys, gordian; print(sorted({'numpy', 'cpmpy', 'asyncio', 'json'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "[]\n"
