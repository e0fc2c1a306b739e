"""Logic puzzles: read boards, solve, explain and make them.

>>> from gordian import puzzle
>>> board = puzzle.read("nurikabe\\n1 . 1\\n. . .\\n1 . 1\\n")
>>> board.unique()
True
>>> board.solve().grid
[[1, 0, 1], [0, 0, 0], [1, 0, 1]]
"""

import os

from gordian import _core
from gordian._core import LimitReached


class Solution:
    """A solution of a board.

    :ivar fields: a dictionary from the names of fields to numbers, lists or lists of rows, as ``gordian puzzle NAME`` describes
    """

    def __init__(self, solution):
        self._solution = solution
        self.fields = solution.fields

    def __getitem__(self, name):
        return self.fields[name]

    @property
    def grid(self):
        """The number of each cell, as a list of rows.

        :raises KeyError: if the solutions of this puzzle type have no grid
        """
        return self.fields["grid"]

    def array(self):
        """Return :attr:`grid` as a NumPy array."""
        import numpy as np

        return np.array(self.grid)

    def __str__(self):
        return self._solution.text()

    def __repr__(self):
        return f"<gordian.puzzle.Solution: {', '.join(self.fields)}>"

    def __eq__(self, other):
        return isinstance(other, Solution) and self._solution == other._solution

    __hash__ = None  # type: ignore[assignment]

    def svg(self):
        """Return a picture of the board with the solution."""
        return self._solution.svg()

    _repr_svg_ = svg


class Explanation:
    """The steps that solve a board.

    :ivar status: ``"complete"`` (nothing else follows from the rules), ``"none"`` (the board has no solution), ``"stopped"`` by a
        limit, or ``"limited"`` to the number of steps that was asked for
    :ivar steps: for each step, a list of lines of text
    :ivar difficulty: a dictionary if the explanation is complete, and None otherwise
    """

    def __init__(self, data):
        self.status = data["status"]
        self.steps = data["steps"]
        self.difficulty = data.get("difficulty")
        self._svg, self._html = data["svg"], data["html"]

    def __len__(self):
        return len(self.steps)

    def __getitem__(self, index):
        return self.steps[index]

    def __str__(self):
        lines = []
        for number, step in enumerate(self.steps, 1):
            lines += [f"step {number}", *("  " + line for line in step)]
        return "\n".join(lines)

    def __repr__(self):
        return f"<gordian.puzzle.Explanation: {len(self.steps)} steps, {self.status}>"

    def svg(self):
        """Return a picture of all steps, or None if the puzzle type has no drawings of steps."""
        return self._svg

    _repr_svg_ = svg

    def html(self):
        """Return a page that shows one step at a time, or None if the puzzle type has no drawings of steps."""
        return self._html


class Counts:
    """The number of solutions for each value of each cell.

    :ivar total: the number of solutions
    :ivar fields: for each field, a dictionary from values to numbers for each cell, in rows if the field is a grid
    """

    def __init__(self, data):
        self.total = data["count"]
        self.fields = data.get("values", {})
        self._svg = data.get("svg")

    def svg(self):
        """Return heat maps of the counts."""
        return self._svg

    _repr_svg_ = svg

    def __repr__(self):
        return f"<gordian.puzzle.Counts: {self.total} solutions>"


class Board:
    """A board. The options of the methods are those of the queries of :class:`gordian.Model`."""

    def __init__(self, board):
        self._board = board

    @property
    def type(self):
        """The name of the puzzle type."""
        return self._board.puzzle_type

    @property
    def rules(self):
        """The rules in a few sentences."""
        return self._board.rules

    @property
    def text(self):
        """The board in the native text format or, for a constraint model, in the format from which it was read."""
        return self._board.source

    @property
    def address(self):
        """The address of the board at puzz.link.

        :raises ModelError: if the puzzle type or this board has no address
        """
        return self._board.address()

    def _data(self, query, options, objective=None):
        data, failure = self._board._query(query, objective, options)
        if failure is not None:
            raise failure
        return data

    def solve(self, *, objective=None, **options):
        """Return a :class:`Solution`, or None if the board has none.

        :param objective: the name of an objective of the puzzle type; some types have a default
        :raises LimitReached: if a limit was reached before a solution was found
        """
        data = self._data("default" if objective is None else "optimise", options, objective)
        if data["solution"] is None and data["status"] == "stopped":
            raise LimitReached("a limit was reached before a solution was found")
        return None if data["solution"] is None else Solution(data["solution"])

    def unique(self, **options):
        """Return whether the board has exactly one solution.

        :raises LimitReached: if a limit was reached first
        """
        data = self._data("unique", options)
        if data["status"] == "none":
            return False
        if data.get("unique") is None:
            raise LimitReached("a limit was reached before the number of solutions was known")
        return data["unique"]

    def count(self, **options):
        """Return the number of solutions.

        :raises LimitReached: if a limit was reached first
        """
        return self._complete("count", options)["count"]

    def count_values(self, **options):
        """Return the number of solutions for each value of each cell: a :class:`Counts`, which shows heat maps in Jupyter.

        :raises LimitReached: if a limit was reached first
        """
        return Counts(self._complete("count-values", options))

    def _complete(self, query, options):
        data = self._data(query, options)
        if data["status"] == "stopped":
            raise LimitReached("a limit was reached before the number of solutions was known")
        return data

    def backbone(self, **options):
        """Return a dictionary: for each field the values that all solutions share, and None where they differ.

        :raises LimitReached: if a limit was reached first
        """
        return self._complete("backbone", options).get("backbone", {})

    def solutions(self, *, limit=None, **options):
        """Iterate over all solutions, each once.

        :raises LimitReached: at the end, if a limit was reached before all solutions were found
        """
        return map(Solution, self._board._start(options, limit))

    def sample(self, n=1, **options):
        """Draw ``n`` solutions at random, independently and all equally likely."""
        return [Solution(solution) for solution in self._board._start(options, None, n)]

    def hint(self, known=None, **options):
        """Return the easiest next step as an :class:`Explanation` with one step, or none if nothing else follows.

        :param known: what is filled in already: a list of facts such as ``"r1c2=1"``, or a text as ``gordian hint --state`` reads it
        """
        return self._steps(known, options, 1)

    def explain(self, known=None, **options):
        """Return all steps as an :class:`Explanation`. It is shown as a strip of pictures in Jupyter."""
        return self._steps(known, options, None)

    def _steps(self, known, options, limit):
        if known is not None and not isinstance(known, str):
            known = ",".join(known)
        data, failure = self._board._steps(options, known, limit)
        if failure is not None:
            raise failure
        return Explanation(data)

    def check(self, solution):
        """Return the reason why a solution is wrong, or None if it is right.

        :param solution: a :class:`Solution`, a list of rows or an array of numbers, or a text in the
            native format of the puzzle type or in JSON
        :raises BoardError: if the text is not a solution of such a board
        """
        if isinstance(solution, Solution):
            solution = solution._solution
        elif not isinstance(solution, str):
            solution = solution.tolist() if hasattr(solution, "tolist") else [list(row) for row in solution]
        return self._board._check(solution)

    def superfluous_clues(self, **options):
        """Return the names of clues that can be left out together, or None if the board does not have exactly one solution.

        :raises ModelError: if the clues of the puzzle type can't be left out one by one
        """
        return self._board._superfluous(options)

    def __str__(self):
        return self._board.text()

    def __repr__(self):
        return f"<gordian.puzzle.Board: {self.type}>"

    def svg(self):
        """Return a picture of the board."""
        return self._board.svg()

    _repr_svg_ = svg


def read(text_or_address, type=None, *, rules=None, **board_options):  # noqa: A002
    """Read a board.

    :param text_or_address: a text in any format that ``gordian solve`` reads, an address of puzz.link, or a path (``os.PathLike``)
    :param type: the name of the puzzle type, if the text does not name it
    :param rules: the text of a rule sheet that states the puzzle type, instead of `type`
    :param board_options: the options of the puzzle type
    :raises BoardError: if the text is not a board; the attributes ``line`` and ``column`` are the place of the error
    """
    name = "board"
    if isinstance(text_or_address, os.PathLike):
        name = os.fspath(text_or_address)
        with open(text_or_address, encoding="utf-8") as file:
            text_or_address = file.read()
    return Board(_core.Board(text_or_address, type, board_options or None, name, rules))


def make(type=None, *, rules=None, size=None, seed=1, symmetry=None, board_options=None, **options):  # noqa: A002
    """Make a board with exactly one solution. The same seed makes the same board.

    :param type: the name of a puzzle type that has a generator, see ``gordian list make``
    :param rules: the text of a rule sheet that states the puzzle type, instead of `type`
    :param size: the numbers of rows and columns; by default, a size that takes a few seconds at most
    :param symmetry: ``"half"``, ``"quarter"``, ``"left-right"`` or ``"top-bottom"``: the symmetry of the clues
    :param board_options: a dictionary with options of the puzzle type
    :raises ModelError: if the puzzle type has no generator, or not for these options
    :raises LimitReached: if a limit was reached first
    """
    text = _core.make_board(type, size, seed, options or None, board_options, symmetry, rules)
    return read(text, type, rules=rules)


def types():
    """Return the names of all puzzle types."""
    return _core.puzzle_types()
