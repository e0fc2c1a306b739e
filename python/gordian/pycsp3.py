"""Gordian as a solver of PyCSP3, without Java.

A script::

    from pycsp3 import *
    import gordian.pycsp3

    x = VarArray(size=4, dom=range(4))
    satisfy(AllDifferent(x), x[0] > x[1])
    if gordian.pycsp3.solve() is SAT:
        print(values(x))

PyCSP3 compiles the model to XCSP3, in a temporary directory that is removed at once; the reader of Gordian does the rest.
"""

import os
import re
import tempfile

from pycsp3.classes.auxiliary.enums import TypeStatus
from pycsp3.classes.entities import VarEntities
from pycsp3.compiler import Compilation

from gordian import _core


def solve(*, sols=None, verbose=-1, **options):
    """Solve the model that the script has built, and set the values of its variables.

    :param sols: the greatest number of solutions to find, for a model without an objective; ``"ALL"`` for all of them
    :param options: the options of queries of :class:`gordian.Model`, such as ``time_limit``
    :returns: PyCSP3's status: ``SAT``, ``OPTIMUM``, ``UNSAT`` or ``UNKNOWN`` (a limit was reached). PyCSP3's functions
        ``value(x)`` and ``values(x)`` return the values; ``values(x, sol=i)`` those of the i-th solution.
    :raises BoardError: if Gordian does not support a constraint of the model
    """
    with tempfile.TemporaryDirectory() as directory:
        path, _ = Compilation.compile(os.path.join(directory, "model.xml"), verbose=verbose)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    board = _core.Board(text, None, None, "model.xml")
    places = list(_places())
    for variable, _, _ in places:
        variable.value, variable.values = None, []
    if sols is not None:
        limit = None if str(sols).rpartition(".")[2].upper() == "ALL" else int(sols)
        number, complete = 0, True
        try:
            for solution in board._start(options, limit):
                _assign(places, solution)
                number += 1
        except _core.LimitReached:
            complete = False
        if number:
            return TypeStatus.SAT
        return TypeStatus.UNSAT if complete else TypeStatus.UNKNOWN
    data, failure = board._query("default", None, options)
    if data["solution"] is not None:
        _assign(places, data["solution"])
    if failure is not None:
        raise failure
    if data["status"] == "none":
        return TypeStatus.UNSAT
    if data["status"] == "optimal":
        return TypeStatus.OPTIMUM
    return TypeStatus.UNKNOWN if data["solution"] is None else TypeStatus.SAT


def _places():
    """Yield each variable with the name of its output, and its position there."""
    for entity in VarEntities.items:
        if hasattr(entity, "flatVars"):
            size = [int(number) for number in entity.size]
            for variable in entity.flatVars:
                position = 0
                for index, of in zip(re.findall(r"\[(\d+)\]", variable.id), size):
                    position = position * of + int(index)
                yield variable, entity.id, position
        else:
            yield entity.variable, entity.id, None


def _assign(places, solution):
    fields = solution.fields
    for variable, name, position in places:
        value = fields.get(name)
        if value is None:
            continue
        value = value if position is None else value[position]
        variable.value = value
        variable.values.append(value)
