"""Solves one board with OR-tools' CP-SAT and one worker: `cpsat_board.py BOARD one|all|fewest|longest [SECONDS]`.

Supports rooks (Akari) in the native format: one solution, all solutions, or the fewest rooks. Supports labyrinth as `.dzn`:
the longest path, modelled as a circuit through the visited nodes. Supports numcross as `.dzn`: one solution. Only the schema
is read, not the entry tables. Prints one line of JSON with the status, the objective or the number of solutions, and the
processor seconds of model and search.
"""

import json
import re
import sys
import time

from ortools.sat.python import cp_model

board, question = sys.argv[1:3]
text = re.sub(r"%.*", "", open(board).read())
model = cp_model.CpModel()
began = time.process_time()


def numbers(name):
    """Returns the numbers in a value of MiniZinc data: an integer, a set, an array or a matrix."""
    return [int(n) for n in re.findall(r"-?\d+", re.search(rf"\b{name}\s*=\s*([^;]*);", text).group(1))]


def runs(cells):
    """Returns the maximal runs of cells in a row. `None` separates runs."""
    out = [[]]
    for cell in cells:
        out += [[]] if cell is None else []
        out[-1] += [cell] if cell is not None else []
    return [run for run in out if run]


def rooks():
    rows = [line.split() for line in text.splitlines() if line.split()][1:]
    h, w = len(rows), len(rows[0])
    rook = {(r, c): model.new_bool_var("") for r in range(h) for c in range(w) if rows[r][c] == "."}
    seen = {cell: set() for cell in rook}
    across = [run for r in range(h) for run in runs((r, c) if (r, c) in rook else None for c in range(w))]
    down = [run for c in range(w) for run in runs((r, c) if (r, c) in rook else None for r in range(h))]
    for run in across + down:
        model.add_at_most_one(rook[cell] for cell in run)
        for cell in run:
            seen[cell] |= set(run)
    for cells in seen.values():
        model.add_bool_or(rook[cell] for cell in cells)
    for r in range(h):
        for c in range(w):
            if rows[r][c].isdigit():
                beside = ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
                model.add(sum(rook[cell] for cell in beside if cell in rook) == int(rows[r][c]))
    if question == "fewest":
        model.minimize(sum(rook.values()))


def labyrinth():
    (n,), (start,), (target,), ends = map(numbers, ("n", "start", "target", "graph"))
    arcs = [(target, start, 1)] + [(v, v, model.new_bool_var("")) for v in range(1, n + 1) if v not in (start, target)]
    weights = numbers("weights") if "weights" in text else [10] * (len(ends) // 2)
    total = 0
    for a, b, weight in zip(ends[::2], ends[1::2], weights):
        for x, y in ((a, b), (b, a)):
            if x != target and y != start:
                arcs.append((x, y, model.new_bool_var("")))
                total += weight * arcs[-1][2]
    model.add_circuit(arcs)
    model.maximize(total)


def numcross():
    (r,), (s,), (n,), (m,) = map(numbers, "rsnm")
    black, allowed = numbers("schema"), cp_model.Domain.from_values(numbers("S"))
    cell = [None if b else model.new_int_var(r, s, "") for b in black]
    entries = [run for i in range(n) for run in runs(cell[i * m : i * m + m])] + [run for j in range(m) for run in runs(cell[j::m])]
    products = []
    for run in entries:
        if len(run) > 1:
            products.append(model.new_int_var_from_domain(allowed, ""))
            model.add_multiplication_equality(products[-1], run)
    model.add_all_different(products)


kind = text.split()[0]
{"rooks": rooks}.get(kind, labyrinth if "graph" in text else numcross)()


class Count(cp_model.CpSolverSolutionCallback):
    """Counts the solutions."""

    found = 0

    def on_solution_callback(self):
        self.found += 1


solver, count = cp_model.CpSolver(), Count()
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 3600.0
solver.parameters.enumerate_all_solutions = question == "all"
made = time.process_time()
status = solver.solve(model, count)
solution = {"status": solver.status_name(status), "model": made - began, "search": time.process_time() - made}
if question == "all":
    solution["count"] = count.found
elif question in ("fewest", "longest") and count.found:
    solution |= {"objective": solver.objective_value, "bound": solver.best_objective_bound}
print(json.dumps(solution))
