"""Encodings of cardinality and pseudo-Boolean constraints as clauses, for PySAT and other users of SAT solvers.

Literals are integers as in DIMACS: ``3`` is a variable, and ``-3`` its negation. The functions return a :class:`Clauses`, which
has the attributes of PySAT's ``CNF``:

>>> from gordian import encode
>>> cnf = encode.at_most_k([1, 2, 3, 4], 2, encoding="sequential-counter")
>>> cnf.nv > 4 and all(isinstance(clause, list) for clause in cnf.clauses)
True

With PySAT, ``solver.append_formula(cnf.clauses)`` adds the clauses to a solver.

The names of the encodings are those of ``gordian list encodings``; :func:`names` returns them. Without a name, the encoding
depends on the size of the constraint.
"""

from gordian import _core


class Clauses:
    """The clauses of a constraint.

    :ivar clauses: a list of lists of literals
    :ivar nv: the greatest number of a variable: of the literals, the auxiliary variables and ``top_id``
    :ivar encodings: pairs (type of constraint, encoding): what was used
    """

    def __init__(self, clauses, nv, encodings=()):
        self.clauses = clauses
        self.nv = nv
        self.encodings = list(encodings)

    @property
    def top_id(self):
        """The same as ``nv``: the argument ``top_id`` for the next constraint."""
        return self.nv

    def __iter__(self):
        return iter(self.clauses)

    def __len__(self):
        return len(self.clauses)

    def __repr__(self):
        used = ", ".join(f"{constraint}={encoding}" for constraint, encoding in self.encodings)
        return f"Clauses({len(self.clauses)} clauses, nv={self.nv}, {used})"

    def to_dimacs(self):
        """Return the clauses as text in the DIMACS format."""
        lines = [f"p cnf {self.nv} {len(self.clauses)}"]
        lines += [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        return "\n".join(lines) + "\n"


def _encode(lits, weights, least, most, encoding, top_id, count):
    lits, weights = list(lits), None if weights is None else list(weights)
    return Clauses(*_core.encode(lits, weights, least, most, encoding, top_id, count))


def at_most_k(lits, k, encoding=None, top_id=None, *, count=False):
    """Encode the constraint that at most ``k`` of the literals are true.

    :param encoding: the name of an encoding; for ``k=1``, those of ``at-most-one`` are allowed, too
    :param top_id: auxiliary variables are greater than this number, and greater than all literals
    :param count: whether to keep the number of solutions: each assignment of the literals then extends to one model at most
    :raises ValueError: if the encoding does not exist or does not apply; the message lists the names
    """
    return _encode(lits, None, None, k, encoding, top_id, count)


def at_least_k(lits, k, encoding=None, top_id=None, *, count=False):
    """Encode the constraint that at least ``k`` of the literals are true. The parameters are those of :func:`at_most_k`."""
    return _encode(lits, None, k, None, encoding, top_id, count)


def exactly_k(lits, k, encoding=None, top_id=None, *, count=False):
    """Encode the constraint that exactly ``k`` of the literals are true. The parameters are those of :func:`at_most_k`."""
    return _encode(lits, None, k, k, encoding, top_id, count)


def between(lits, least, most, encoding=None, top_id=None, *, count=False):
    """Encode the constraint that ``least`` to ``most`` of the literals are true. The parameters are those of :func:`at_most_k`."""
    return _encode(lits, None, least, most, encoding, top_id, count)


def at_most(lits, weights, bound, encoding=None, top_id=None, *, count=False):
    """Encode the pseudo-Boolean constraint that the weights of the true literals have a sum of at most ``bound``.

    :param weights: integers, which may be negative
    :param encoding: the name of an encoding of ``linear``, such as ``bdd`` or ``generalized-totalizer``
    :raises ValueError: if the encoding does not exist or does not apply; the message lists the names
    """
    return _encode(lits, weights, None, bound, encoding, top_id, count)


def at_least(lits, weights, bound, encoding=None, top_id=None, *, count=False):
    """Encode the pseudo-Boolean constraint that the weights of the true literals have a sum of at least ``bound``."""
    return _encode(lits, weights, bound, None, encoding, top_id, count)


def equals(lits, weights, bound, encoding=None, top_id=None, *, count=False):
    """Encode the pseudo-Boolean constraint that the weights of the true literals have the sum ``bound``."""
    return _encode(lits, weights, bound, bound, encoding, top_id, count)


def names(constraint="cardinality"):
    """Return the names of the encodings of ``at-most-one``, ``exactly-one``, ``cardinality`` or ``linear`` that write clauses."""
    return _core.encoding_names(constraint)


class IncrementalTotalizer:
    """A counter of true literals, whose clauses are written as bounds are needed.

    >>> from gordian.encode import IncrementalTotalizer
    >>> counter = IncrementalTotalizer([1, 2, 3, 4])
    >>> assumption, clauses = counter.at_most(2)

    Add ``clauses`` to a solver, and assume ``assumption``: then at most 2 of the literals are true.
    """

    def __init__(self, lits, top_id=None):
        self._totalizer = _core.IncrementalTotalizer(list(lits), top_id)

    def at_most(self, k):
        """Return a literal to assume, and the clauses that no earlier call has returned.

        The literal is None if at most ``k`` literals are true anyway.
        """
        return self._totalizer.at_most(k)

    @property
    def clauses(self):
        """All clauses so far."""
        return self._totalizer.clauses

    @property
    def nv(self):
        """The greatest number of a variable so far."""
        return self._totalizer.top_id

    top_id = nv
