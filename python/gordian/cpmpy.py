"""Gordian as a solver of CPMpy.

After ``import gordian.cpmpy``, the solver has the name ``gordian``:

>>> import cpmpy as cp
>>> import gordian.cpmpy
>>> x = cp.intvar(1, 9, shape=3, name="x")
>>> model = cp.Model(cp.AllDifferent(x), cp.sum(x) == 15, x[0] < x[1], maximize=x[0])
>>> model.solve(solver="gordian")
True

Constraints are posted as they are: nested expressions and reified global constraints need no flattening. The solver runs inside
the process, so neither MiniZinc nor Java is needed.
"""

import time
from typing import Iterable, Optional

from cpmpy.exceptions import NotSupportedError
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.globalconstraints import DirectConstraint
from cpmpy.expressions.utils import get_bounds, is_any_list, is_num
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl, _NumVarImpl
from cpmpy.solvers import SolverLookup
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
from cpmpy.transformations.decompose_global import decompose_in_tree, decompose_objective
from cpmpy.transformations.get_variables import get_variables
from cpmpy.transformations.normalize import toplevel_list
from cpmpy.transformations.safening import no_partial_functions, safen_objective


class CPM_gordian(SolverInterface):
    """
    Interface to Gordian's Python API.

    Creates the following attributes (see parent constructor for more):

    - ``gordian_model``: the ``gordian.Model`` object

    The :class:`~cpmpy.expressions.globalconstraints.DirectConstraint`, when used, calls a function on ``gordian_model``.
    """

    supported_global_constraints = frozenset({
        "alldifferent", "alldifferent_except_n", "allequal", "circuit", "inverse", "table", "short_table", "negative_table",
        "regular", "ite", "indomain", "xor", "cumulative", "no_overlap", "precedence", "gcc", "increasing", "decreasing",
        "strictly_increasing", "strictly_decreasing", "lex_less", "lex_lesseq",
        "min", "max", "abs", "mul", "div", "mod", "pow", "element", "count", "among",
    })
    supported_reified_global_constraints = supported_global_constraints

    @staticmethod
    def supported():
        try:
            import gordian  # noqa: F401
        except ModuleNotFoundError:
            return False
        return True

    @staticmethod
    def version() -> Optional[str]:
        """
        Returns the installed version of the solver's Python API.
        """
        try:
            import gordian
        except ModuleNotFoundError:
            return None
        return gordian.__version__

    def __init__(self, cpm_model=None, subsolver=None):
        """
        Constructor of the native solver object

        Arguments:
            cpm_model: Model(), a CPMpy Model() (optional)
            subsolver: None, not used
        """
        if not self.supported():
            raise ModuleNotFoundError("CPM_gordian: Install the python package 'gordian' to use this solver interface.")
        import gordian

        assert subsolver is None
        self.gordian_model = gordian.Model()
        self.objective_ = None
        super().__init__(name="gordian", cpm_model=cpm_model)

    @property
    def native_model(self):
        """
            Returns the solver's underlying native model (for direct solver access).
        """
        return self.gordian_model

    def solve(self, time_limit: Optional[float] = None, assumptions: Optional[Iterable[_BoolVarImpl]] = None, display=None,
              **kwargs):
        """
            Call the Gordian solver

            Arguments:
                time_limit (float, optional): maximum solve time in seconds
                assumptions: iterable of CPMpy Boolean variables (or their negation) that are assumed to be true.
                             If the model is then unsatisfiable, `get_core()` returns assumptions that are unsat together.
                display: generic solution callback for use during optimization: either a list of CPMpy expressions, or a
                         function, called after each better solution is mapped to the variables

            Additional keyword arguments are the options of queries of ``gordian.Model``, such as ``threads``, ``seed``,
            ``solver``, ``strategy`` and ``encodings={"cardinality": "totalizer"}``.
        """
        self.solver_vars(list(self.user_vars))
        if time_limit is not None:
            if time_limit <= 0:
                raise ValueError("Time limit must be positive")
            kwargs["time_limit"] = time_limit
        if assumptions is not None:
            assumptions = list(assumptions)
            kwargs["assumptions"] = self.solver_vars(assumptions)
        if display is not None and self.has_objective():
            def better(solution, objective, bound):
                if solution is not None:
                    self._assign(solution)
                    self.print_display(display)

            kwargs["callback"] = better

        start = time.time()
        outcome = self.gordian_model.solve(**kwargs)
        self._core = None
        if assumptions is not None and outcome.status == "none":
            index = {id(native): cpm for native, cpm in zip(kwargs["assumptions"], assumptions)}
            self._core = [index[id(native)] for native in self.gordian_model.core()]

        self.cpm_status = SolverStatus(self.name)
        self.cpm_status.solve_time = time.time() - start
        if outcome.status == "none":
            self.cpm_status.exitstatus = ExitStatus.UNSATISFIABLE
        elif outcome.status == "optimal":
            self.cpm_status.exitstatus = ExitStatus.OPTIMAL
        elif outcome:
            self.cpm_status.exitstatus = ExitStatus.FEASIBLE
        else:
            self.cpm_status.exitstatus = ExitStatus.UNKNOWN

        has_sol = self._solve_return(self.cpm_status)
        self.objective_value_ = None
        self._assign(outcome.solution)
        if has_sol and self.has_objective():
            self.objective_value_ = outcome.objective
        return has_sol

    def _assign(self, solution):
        """Set the values of the user variables, or clear them."""
        for cpm_var in self.user_vars:
            if solution is None:
                cpm_var._value = None
            else:
                value = solution.value(self.solver_var(cpm_var))
                cpm_var._value = bool(value) if isinstance(cpm_var, _BoolVarImpl) else value

    def solveAll(self, display=None, time_limit: Optional[float] = None, solution_limit: Optional[int] = None,
                 call_from_model=False, **kwargs):
        """
            Compute all solutions, map them to CPMpy and optionally display them. See the parent class.
        """
        import gordian

        if self.has_objective():
            raise NotSupportedError("Gordian does not support finding all optimal solutions")
        if time_limit is not None:
            if time_limit <= 0:
                raise ValueError("Time limit must be positive")
            kwargs["time_limit"] = time_limit
        over = self.solver_vars(list(self.user_vars))
        count, complete, last = 0, True, None
        start = time.time()
        try:
            for solution in self.gordian_model.solutions(limit=solution_limit, over=over, **kwargs):
                count, last = count + 1, solution
                if display is not None:
                    self._assign(solution)
                    self.print_display(display)
        except gordian.LimitReached:
            complete = False
        self._assign(last)

        self.cpm_status = SolverStatus(self.name)
        self.cpm_status.solve_time = time.time() - start
        if count > 0 and (not complete or count == solution_limit):
            self.cpm_status.exitstatus = ExitStatus.FEASIBLE
        elif count > 0:
            self.cpm_status.exitstatus = ExitStatus.OPTIMAL
        elif complete:
            self.cpm_status.exitstatus = ExitStatus.UNSATISFIABLE
        else:
            self.cpm_status.exitstatus = ExitStatus.UNKNOWN
        return count

    def solver_var(self, cpm_var):
        """
            Creates solver variable for cpmpy variable
            or returns from cache if previously created
            or returns a constant if the variable is a constant
        """
        if isinstance(cpm_var, _NumVarImpl):
            name = cpm_var.name
            revar = self._varmap.get(name)
            if revar is not None:
                return revar
            if isinstance(cpm_var, NegBoolView):
                revar = ~self.solver_var(cpm_var._bv)
            elif isinstance(cpm_var, _BoolVarImpl):
                revar = self.gordian_model.bool(name)
            else:
                revar = self.gordian_model.int(int(cpm_var.lb), int(cpm_var.ub), name)
            self._varmap[name] = revar
            return revar
        if isinstance(cpm_var, BoolVal):
            return bool(cpm_var)
        if is_num(cpm_var):
            return int(cpm_var)
        raise NotImplementedError(f"Not a known var {cpm_var}")

    def has_objective(self):
        return self.objective_ is not None

    def objective(self, expr, minimize):
        """
            Post the given expression to the solver as objective to minimize/maximize

            - expr: Expression, the CPMpy expression that represents the objective function
            - minimize: Bool, whether it is a minimization problem (True) or maximization problem (False)
        """
        if not (isinstance(expr, Expression) or is_num(expr)):
            raise NotSupportedError(f"Gordian optimises integer expressions only, not {expr}")
        get_variables(expr, collect=self.user_vars)
        self.objective_ = expr
        obj, safe_cons = safen_objective(expr)
        obj, decomp_cons = decompose_objective(
            obj,
            supported=self.supported_global_constraints,
            supported_reified=self.supported_reified_global_constraints,
            csemap=self._csemap,
        )
        self.add(safe_cons + decomp_cons)
        native = self._native(obj)
        (self.gordian_model.minimize if minimize else self.gordian_model.maximize)(native)

    def transform(self, cpm_expr):
        """
            Transform arbitrary CPMpy expressions to constraints the solver supports: only global constraints that Gordian
            does not have are decomposed.
        """
        cpm_cons = toplevel_list(cpm_expr)
        cpm_cons = no_partial_functions(cpm_cons)
        return decompose_in_tree(
            cpm_cons,
            supported=self.supported_global_constraints,
            supported_reified=self.supported_reified_global_constraints,
            csemap=self._csemap,
        )

    def add(self, cpm_expr):
        """
            Eagerly add a constraint to the underlying solver.

            Arguments:
                cpm_expr: CPMpy expression, or list thereof

            Returns:
                self
        """
        get_variables(cpm_expr, collect=self.user_vars)
        for con in self.transform(cpm_expr):
            if isinstance(con, DirectConstraint):
                con.callSolver(self, self.gordian_model)
            else:
                self.gordian_model.add(self._native(con))
        return self

    __add__ = add  # avoid redirect in superclass

    def _natives(self, exprs):
        return [self._native(expr) for expr in exprs]

    def _native(self, expr):
        """Translate an expression, and all expressions in it."""
        import gordian

        if not isinstance(expr, Expression):
            return self._natives(expr) if is_any_list(expr) else self.solver_var(expr)
        if isinstance(expr, (_NumVarImpl, BoolVal)):
            return self.solver_var(expr)
        name, args = expr.name, expr.args

        if isinstance(expr, Comparison):
            # A comparison of two constants is a `bool`, which a model accepts.
            left, right = self._natives(args)
            return {
                "==": lambda: left == right,
                "!=": lambda: left != right,
                "<": lambda: left < right,
                "<=": lambda: left <= right,
                ">": lambda: left > right,
                ">=": lambda: left >= right,
            }[name]()
        if isinstance(expr, Operator):
            if name == "wsum":
                weights, operands = args
                return gordian.sum(self._natives(operands), [int(weight) for weight in weights])
            operands = self._natives(args)
            if name == "sum":
                return gordian.sum(operands)
            if name == "sub":
                return operands[0] - operands[1]
            if name == "-":
                return -operands[0]
            if name == "and":
                return gordian.all_of(operands)
            if name == "or":
                return gordian.any_of(operands)
            if name == "->":
                return gordian.any_of([self._not(operands[0]), operands[1]])
            if name == "not":
                return self._not(operands[0])
            raise NotImplementedError(f"CPM_gordian: unknown operator {name}")
        return self._native_global(expr)

    @staticmethod
    def _not(native):
        return (not native) if isinstance(native, bool) else ~native

    def _native_global(self, expr):
        """Translate a global constraint or a global function."""
        import gordian

        name, args = expr.name, expr.args
        if name in ("table", "short_table", "negative_table"):
            columns, rows = args
            rows = rows.tolist() if hasattr(rows, "tolist") else rows
            table = gordian.table(self._natives(columns), rows)
            return ~table if name == "negative_table" else table
        if name == "regular":
            return gordian.regular(self._natives(args[0]), *args[1:])
        if name in ("cumulative", "no_overlap"):
            return self._schedule(name, [self._native(arg) for arg in args], args)

        native = self._natives(args)
        if name in ("min", "max"):
            return (gordian.minimum if name == "min" else gordian.maximum)(native)
        if name == "abs":
            return abs(native[0])
        if name == "mul":
            return native[0] * native[1]
        if name == "div":
            return gordian.div(*native)
        if name == "mod":
            return gordian.rem(*native)
        if name == "pow":
            if get_bounds(args[1])[0] < 0:
                raise NotSupportedError(f"Gordian does not support negative exponents, got {expr}")
            return native[0] ** native[1]
        if name == "element":
            return gordian.element(*native)
        if name == "count":
            return gordian.count(*native)
        if name == "among":
            return gordian.among(*native)
        if name == "alldifferent":
            return gordian.all_different(native)
        if name == "alldifferent_except_n":
            return gordian.all_different_except(*native)
        if name == "allequal":
            return gordian.all_equal(native)
        if name == "circuit":
            return gordian.circuit(native)
        if name == "inverse":
            return gordian.inverse(*native)
        if name == "ite":
            condition, then, otherwise = native
            return gordian.all_of([
                gordian.any_of([self._not(condition), then]),
                gordian.any_of([condition, otherwise]),
            ])
        if name == "indomain":
            return gordian.member(*native)
        if name == "xor":
            return gordian.xor(native)
        if name == "precedence":
            return gordian.value_precedence(*native)
        if name == "gcc":
            return gordian.global_cardinality(*native, closed=expr.closed)
        if name in ("increasing", "strictly_increasing"):
            return gordian.increasing(native, strict=name != "increasing")
        if name in ("decreasing", "strictly_decreasing"):
            return gordian.decreasing(native, strict=name != "decreasing")
        if name == "lex_less":
            return gordian.lex_less(*native)
        if name == "lex_lesseq":
            return gordian.lex_lesseq(*native)
        raise NotImplementedError(f"CPM_gordian: unknown global constraint {expr}; please report it")

    @staticmethod
    def _schedule(name, native, args):
        """Translate a scheduling constraint. Durations and demands must not be negative."""
        import gordian

        if name == "no_overlap":
            start, duration, *end = native
            constraint = gordian.disjunctive(start, duration, *end)
            signed = zip(duration, args[1])
        else:
            start, duration, *end, demand, capacity = native
            constraint = gordian.cumulative(start, duration, *end, demand=demand, capacity=capacity)
            signed = [*zip(duration, args[1]), *zip(demand, args[-2])]
        checks = [value >= 0 for value, cpm in signed if get_bounds(cpm)[0] < 0]
        return gordian.all_of([constraint, *checks])

    def solution_hint(self, cpm_vars, vals):
        """
        The search tries these values first.

        :param cpm_vars: list of CPMpy variables
        :param vals: list of (corresponding) values for the variables
        """
        from cpmpy.expressions.utils import flatlist

        cpm_vars, vals = flatlist(cpm_vars), flatlist(vals)
        if len(cpm_vars) != len(vals):
            raise ValueError(f"The number of variables and values in the hint must be the same, got {len(cpm_vars)} and {len(vals)}")
        pairs = []
        for cpm_var, value in zip(cpm_vars, vals):
            if isinstance(cpm_var, NegBoolView):
                cpm_var, value = cpm_var._bv, not value
            pairs.append((self.solver_var(cpm_var), int(value)))
        self.gordian_model.hint(pairs)

    def get_core(self):
        """
        For use with `s.solve(assumptions=[...])`. Only meaningful if the solver returned UNSAT.

        Returns a subset of the assumptions that are unsat together.
        """
        assert self._core is not None, "Can only get core if the last solve-call was unsatisfiable under assumptions"
        return self._core


def register():
    """Add the solver to CPMpy's list of solvers. Importing this module does so."""
    listed = SolverLookup.base_solvers()
    if any(name == "gordian" for name, _ in listed):
        return
    others = SolverLookup.base_solvers.__func__

    def base_solvers(cls):
        return [*others(cls), ("gordian", CPM_gordian)]

    SolverLookup.base_solvers = classmethod(base_solvers)


register()
