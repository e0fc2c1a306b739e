"""NumPy arrays of expressions."""

import numpy as np

#: The functions of NumPy whose result for objects is `bool` by default.
_COMPARISONS = {np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal}
#: The logical operators. NumPy calls them for `&`, `|`, `^` and `~`.
_BITWISE = {np.logical_and: np.bitwise_and, np.logical_or: np.bitwise_or, np.logical_not: np.invert}


class ExprArray(np.ndarray):
    """An array of expressions, whose comparisons are arrays of constraints."""

    def __new__(cls, items):
        return np.asarray(items, dtype=object).view(cls)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        plain = [item.view(np.ndarray) if isinstance(item, ExprArray) else item for item in inputs]
        ufunc = _BITWISE.get(ufunc, ufunc)
        if ufunc in _COMPARISONS and method == "__call__":
            options["dtype"] = object
        if out is not None:
            options["out"] = tuple(item.view(np.ndarray) if isinstance(item, ExprArray) else item for item in out)
        result = getattr(ufunc, method)(*plain, **options)
        return result.view(ExprArray) if isinstance(result, np.ndarray) and result.dtype == object else result

    def implies(self, other):
        """Return the implications, element by element."""
        return ExprArray(np.frompyfunc(lambda a, b: a.implies(b), 2, 1)(self.view(np.ndarray), other))

    def sum(self, axis=None, **options):
        """Return the sum of all elements, or the sums along an axis."""
        if axis is None and not options:
            from gordian._core import sum as total

            return total(list(self.flat))
        return super().sum(axis=axis, **options)
