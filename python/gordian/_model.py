"""Models and the outcomes of queries."""

from gordian import _core
from gordian._core import LimitReached


class Outcome:
    """What came of a query. It is true if there is a solution, and indexed like a solution: ``outcome[x]``.

    :ivar status: ``"solved"``, ``"optimal"`` (a solution that is proven to be the best), ``"none"`` (it is proven that there is
        no solution), or ``"stopped"`` by a limit
    :ivar solution: the :class:`Solution`, or None
    :ivar objective: the value of the objective in the solution, or None
    :ivar bound: the best proven bound on the objective, or None
    :ivar statistics: the size of the formula and what the solver did: a dictionary of numbers
    :ivar times: the time of each step, in seconds
    :ivar encodings: triples (constraint, encoding, number of constraints)
    :ivar progress: for an optimisation, triples (seconds since the start, objective or None, bound or None)
    """

    def __init__(self, data, progress=()):
        self.status = data["status"]
        self.solution = data.get("solution")
        self.objective = data.get("objective")
        self.bound = data.get("bound")
        self.statistics = data["statistics"]
        self.times = data["times"]
        self.encodings = data["encodings"]
        self.progress = list(progress)
        self._data = data

    def __bool__(self):
        return self.solution is not None

    def __getitem__(self, expression):
        return self.value(expression)

    def value(self, expression):
        """Return the value of an expression in the solution, or a list or array of values.

        :raises LookupError: if there is no solution
        """
        if self.solution is None:
            reason = "a limit was reached first" if self.status == "stopped" else "the model has none"
            raise LookupError(f"there is no solution: {reason}")
        return self.solution.value(expression)

    def __repr__(self):
        parts = [f"status={self.status!r}"]
        if self.objective is not None:
            parts += [f"objective={self.objective}", f"bound={self.bound}"]
        if self.solution is not None:
            parts.append(f"solution={self.solution!r}")
        return f"Outcome({', '.join(parts)})"

    def _repr_html_(self):
        from gordian._display import outcome_html

        return outcome_html(self)


class Backbone:
    """What all solutions have in common.

    :ivar status: ``"solved"``, ``"none"`` or ``"stopped"``
    :ivar forced: a list of pairs (variable, value): the variables with the same value in all solutions
    :ivar possible: a list of pairs (variable, values): the values that occur in some solution, in ascending order. Variables
        with more than 1000 values are not listed, except if they are forced.
    :ivar open: pairs (variable, values) that were undecided when a limit was reached
    """

    def __init__(self, data):
        self.status = data["status"]
        self.forced, self.possible, self.open = [], [], []
        for variable, possible, undecided, complete in data.get("backbone", ()):
            if len(possible) == 1 and complete:
                self.forced.append((variable, possible[0]))
            if complete or possible:
                self.possible.append((variable, possible))
            if undecided:
                self.open.append((variable, undecided))

    def __repr__(self):
        forced = ", ".join(f"{variable}={value}" for variable, value in self.forced)
        return f"Backbone(status={self.status!r}, forced: {forced or 'none'})"


class Conflict(list):
    """The names of constraints that contradict each other.

    :ivar constraints: the constraints themselves
    :ivar minimal: whether no proper subset of the constraints is contradictory
    :ivar smallest: whether no contradictory set has fewer constraints
    """

    def __init__(self, pairs, minimal, smallest):
        super().__init__(name for name, _ in pairs)
        self.constraints = [constraint for _, constraint in pairs]
        self.minimal = minimal
        self.smallest = smallest


class Model(_core.Model):
    """A constraint model.

    Several threads may use one model: each call locks it. A query works on a copy of the model as it is when the query starts.

    Queries accept these options, all by keyword:

    * ``time_limit`` in seconds, ``conflicts`` (of each call to the SAT solver), ``memory`` of the process in bytes
    * ``threads``: the number of threads with different configurations; the first result counts
    * ``seed``: a number from 0
    * ``solver`` and ``strategy``: names, as in ``gordian list``
    * ``encodings``: a dictionary such as ``{"cardinality": "totalizer", "integers": "log"}``, see :func:`gordian.encodings`

    Ctrl-C stops a query and raises ``KeyboardInterrupt``. What the query has found so far is in :attr:`outcome`.
    """

    #: The outcome of the last query that returned an :class:`Outcome` or was interrupted.
    outcome = None

    def int(self, lo=None, hi=None, name=None, *, values=None, shape=None):
        """Create an integer variable.

        :param lo, hi: the bounds, which are included; without one of them, the variable is unbounded on this side
        :param values: instead of bounds, an iterable with all values
        :param name: a name for texts; names need not differ
        :param shape: a number or a tuple of numbers; the result is then a NumPy array of variables (:func:`gordian.array`) with
            names such as ``x[0,1]``
        :raises ValueError: if the domain is empty
        :raises OverflowError: if a bound exceeds 127 bits
        """
        if shape is None:
            return super().int(lo, hi, name, values=values)
        return self._shaped(shape, name, lambda name: _core.Model.int(self, lo, hi, name, values=values))

    def bool(self, name=None, *, shape=None):
        """Create a Boolean variable, or a NumPy array of Boolean variables; see :meth:`int`."""
        if shape is None:
            return super().bool(name)
        return self._shaped(shape, name, lambda name: _core.Model.bool(self, name))

    def _shaped(self, shape, name, create):
        import numpy as np

        result = np.empty(shape, dtype=object)
        for index in np.ndindex(result.shape):
            of_index = None if name is None else f"{name}[{','.join(map(str, index))}]"
            result[index] = create(of_index)
        return array(result)

    def minimize(self, expression):
        """Set the objective: :meth:`solve` finds the solution with the least value. The last objective counts."""
        self._set_objective(expression, False)

    def maximize(self, expression):
        """Set the objective: :meth:`solve` finds the solution with the greatest value. The last objective counts."""
        self._set_objective(expression, True)

    def hint(self, values):
        """Set the values that the search tries first: a dictionary from variables to values, or a solution and its variables.

        Hints do not change the set of solutions. Earlier hints are removed.
        """
        self._set_hints(list(values.items() if hasattr(values, "items") else values))

    def solve(self, *, callback=None, assumptions=None, **options):
        """Find a solution or, if the model has an objective, an optimal solution.

        :param callback: called for each better solution and each better bound as ``callback(solution, objective, bound)``;
            ``solution`` is None if only the bound is new, and ``bound`` is None otherwise. An exception stops the search.
        :param assumptions: Boolean expressions that this call assumes. If the status is ``"none"``, :meth:`core` returns
            assumptions that can't all be true.
        :returns: an :class:`Outcome`
        """
        return self._solve("optimise" if self.has_objective else "satisfy", callback, assumptions, options)

    def optimize(self, *, callback=None, assumptions=None, **options):
        """Like :meth:`solve`, but raise ValueError if the model has no objective."""
        if not self.has_objective:
            raise ValueError("the model has no objective; call `minimize` or `maximize` first")
        return self._solve("optimise", callback, assumptions, options)

    def satisfy(self, *, assumptions=None, **options):
        """Find any solution, even if the model has an objective. Return an :class:`Outcome`."""
        return self._solve("satisfy", None, assumptions, options)

    def _solve(self, query, callback, assumptions, options):
        progress = []
        report = None
        if query == "optimise":
            import time

            start = time.perf_counter()

            def report(solution, objective, bound):
                progress.append((time.perf_counter() - start, objective, bound))
                if callback is not None:
                    callback(solution, objective, bound)

        assumptions = None if assumptions is None else list(assumptions)
        data, failure = self._query(query, options, report, assumptions)
        outcome = Outcome(data, progress)
        self.outcome = outcome
        self._last_core = None if assumptions is None or "core" not in data else [assumptions[i] for i in data["core"]]
        if failure is not None:
            raise failure
        return outcome

    def core(self):
        """Return assumptions of the last call of :meth:`solve` that can't all be true.

        The list is empty if the model has no solution even without assumptions.

        :raises ValueError: if the last call had no assumptions, or did not prove that there is no solution
        """
        core = getattr(self, "_last_core", None)
        if core is None:
            raise ValueError("the last call had no assumptions, or did not prove that there is no solution")
        return core

    def solutions(self, *, limit=None, over=None, **options):
        """Return an iterator over all solutions, each once, in no particular order. The objective is ignored.

        Solutions differ in the value of some variable or, with ``over``, of some variable in this list. The search continues in the background, a few solutions ahead; it ends
        when the iterator is deleted.

        :param limit: the greatest number of solutions
        :raises LimitReached: at the end, if a limit was reached before all solutions were found
        """
        return self._start(options, limit, None, None if over is None else list(over))

    def sample(self, n=1, *, over=None, **options):
        """Draw ``n`` solutions at random, independently and all equally likely. The option ``seed`` chooses others.

        :returns: a list, which is empty if there is no solution
        :raises LimitReached: if a limit was reached first
        """
        return list(self._start(options, None, n, None if over is None else list(over)))

    def count(self, *, over=None, **options):
        """Return the number of solutions, without listing them where possible.

        :param over: count the different values of these variables in solutions, instead of those of all variables
        :raises LimitReached: if a limit was reached first; the attribute ``at_least`` is what had been counted
        """
        data = self._data("count", options, over)
        if data["status"] == "stopped":
            raise _limit("the number of solutions was known", at_least=data.get("count", 0))
        return data["count"]

    def count_values(self, **options):
        """Count all solutions and, for each variable and each of its values, the solutions with this value.

        :returns: the number of solutions, and a list of pairs (variable, dictionary from values to numbers)
        :raises LimitReached: if a limit was reached first
        """
        data = self._data("count-values", options)
        if data["status"] == "stopped":
            raise _limit("the number of solutions was known", at_least=data.get("count", 0))
        return data["count"], data.get("values", [])

    def unique(self, **options):
        """Return whether there is exactly one solution. :attr:`outcome` then contains a solution, and ``other`` another one.

        :raises LimitReached: if a limit was reached first
        """
        data, failure = self._query("unique", options)
        self.outcome = Outcome(data)
        self.outcome.other = data.get("other")
        if failure is not None:
            raise failure
        if data["status"] == "none":
            return False
        if data.get("unique") is None:
            raise _limit("the number of solutions was known")
        return data["unique"]

    def backbone(self, **options):
        """Find the values that each variable has in some solution, and so those that it has in all. Return a :class:`Backbone`."""
        return Backbone(self._data("backbone", options))

    def _data(self, query, options, over=None):
        data, failure = self._query(query, options, None, None, None if over is None else list(over))
        if failure is not None:
            raise failure
        return data

    def why(self, *, fewest=True, **options):
        """Return constraints that contradict each other, or None if the model has a solution.

        Constraints are named by :meth:`add`, as in ``m.add(x < y, name="order")``; a constraint without a name is its text.

        :param fewest: find the smallest possible number of constraints; if False, a set without superfluous constraints
        :returns: a :class:`Conflict`, a list of names
        :raises LimitReached: if a limit was reached first
        """
        result, failure = self._conflict(options, fewest)
        if failure is not None:
            raise failure
        if result == "none":
            return None
        if result == "stopped":
            raise _limit("a contradiction was found")
        groups, minimal, smallest = result
        constraints = self.constraints
        return Conflict([constraints[group] for group in groups], minimal, smallest)

    def prove(self, directory, *, query=None, **options):
        """Solve the model, and write a certificate of the result to a directory.

        The directory contains the model as FlatZinc, the claim with its solutions and, unless the solutions alone prove the
        claim, a formula and a proof for the checker VeriPB. ``gordian prove-check DIRECTORY`` checks all of it.

        :param query: ``"optimise"`` (the default if there is an objective), ``"satisfy"`` (the default otherwise), ``"unique"``
            or ``"backbone"``
        :returns: an :class:`Outcome` with the attribute ``claim``: ``"optimal"``, ``"no-solution"``, ``"unique"``,
            ``"backbone"``, or None if the claim needs no proof
        :raises ModelError: if proofs do not support the model
        """
        if query is None:
            query = "optimise" if self.has_objective else "satisfy"
        if query not in ("optimise", "satisfy", "unique", "backbone"):
            raise ValueError(f"query: expected optimise, satisfy, unique or backbone, found {query}")
        data, failure = self._certify(directory, query, options)
        self.outcome = Outcome(data)
        self.outcome.claim = data["claim"]
        if failure is not None:
            raise failure
        return self.outcome

    def export(self, format="dimacs", path=None, *, counting=False, encodings=None, **options):  # noqa: A002
        """Return the model as text for other solvers, or write it to a file.

        :param format: ``"dimacs"``, ``"wcnf"``, ``"opb"``, ``"icnf"`` or ``"flatzinc"``
        :param path: the file to write; the result is then None
        :param counting: whether each solution must have exactly one model
        """
        if format == "flatzinc":
            text = self._flatzinc()
        else:
            if encodings is not None:
                options["encodings"] = encodings
            text = self._formula(format, counting, options)
        if path is None:
            return text
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return None

    def __repr__(self):
        objective = ", an objective" if self.has_objective else ""
        return f"<gordian.Model: {self.variable_count} variables, {len(self.constraints)} constraints{objective}>"


def _limit(what, **attributes):
    error = LimitReached(f"a limit was reached before {what}")
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


def array(items):
    """Return a NumPy array of expressions whose operators, including comparisons, work element by element.

    NumPy itself compares arrays of objects to arrays of ``bool``, which expressions are not.
    """
    from gordian._array import ExprArray

    return ExprArray(items)


