import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Literal, overload

from gordian import _core
from gordian._core import Expr, Solution

Callback = Callable[[Solution | None, int | None, int | None], object]

class Outcome:
    status: Literal["solved", "optimal", "none", "stopped"]
    solution: Solution | None
    #: Only after `Model.unique`: another solution, if there is one.
    other: Solution | None
    #: Only after `Model.prove`.
    claim: str | None
    objective: int | None
    bound: int | None
    statistics: dict[str, Any]
    times: dict[str, float]
    encodings: list[tuple[str, str, int]]
    progress: list[tuple[float, int | None, int | None]]
    def __bool__(self) -> bool: ...
    def __getitem__(self, expression: Any) -> Any: ...
    def value(self, expression: Any) -> Any: ...

class Backbone:
    status: Literal["solved", "none", "stopped"]
    forced: list[tuple[Expr, int]]
    possible: list[tuple[Expr, list[int]]]
    open: list[tuple[Expr, list[int]]]

class Conflict(list[str]):
    constraints: list[Expr]
    minimal: bool
    smallest: bool

class Model(_core.Model):
    outcome: Outcome | None
    @overload  # type: ignore[override]
    def int(
        self, lo: builtins.int | None = None, hi: builtins.int | None = None, name: str | None = None, *, values: Iterable[builtins.int] | None = None
    ) -> Expr: ...
    @overload
    def int(
        self,
        lo: builtins.int | None = None,
        hi: builtins.int | None = None,
        name: str | None = None,
        *,
        values: Iterable[builtins.int] | None = None,
        shape: builtins.int | tuple[builtins.int, ...],
    ) -> Any: ...
    @overload  # type: ignore[override]
    def bool(self, name: str | None = None) -> Expr: ...
    @overload
    def bool(self, name: str | None = None, *, shape: builtins.int | tuple[builtins.int, ...]) -> Any: ...
    def minimize(self, expression: Expr | builtins.int) -> None: ...
    def maximize(self, expression: Expr | builtins.int) -> None: ...
    def hint(self, values: Mapping[Expr, builtins.int] | Iterable[tuple[Expr, builtins.int]]) -> None: ...
    def solve(
        self, *, callback: Callback | None = None, assumptions: Iterable[Expr] | None = None, **options: Any
    ) -> Outcome: ...
    def optimize(
        self, *, callback: Callback | None = None, assumptions: Iterable[Expr] | None = None, **options: Any
    ) -> Outcome: ...
    def satisfy(self, *, assumptions: Iterable[Expr] | None = None, **options: Any) -> Outcome: ...
    def core(self) -> list[Expr]: ...
    def solutions(self, *, limit: builtins.int | None = None, over: Iterable[Expr] | None = None, **options: Any) -> Iterator[Solution]: ...
    def sample(self, n: builtins.int = 1, *, over: Iterable[Expr] | None = None, **options: Any) -> list[Solution]: ...
    def count(self, *, over: Iterable[Expr] | None = None, **options: Any) -> builtins.int: ...
    def count_values(self, **options: Any) -> tuple[builtins.int, list[tuple[Expr, dict[builtins.int, builtins.int]]]]: ...
    def unique(self, **options: Any) -> builtins.bool: ...
    def backbone(self, **options: Any) -> Backbone: ...
    def why(self, *, fewest: builtins.bool = True, **options: Any) -> Conflict | None: ...
    def prove(self, directory: str | PathLike[str], *, query: str | None = None, **options: Any) -> Outcome: ...
    def export(
        self, format: str = "dimacs", path: str | PathLike[str] | None = None, *, counting: builtins.bool = False, **options: Any
    ) -> str | None: ...

def array(items: Any) -> Any: ...
