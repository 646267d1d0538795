"""Values that most callers never ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Later(Generic[T]):
    """A value that is worked out when it is first asked for, from what cannot change until then."""

    __slots__ = ("__weakref__", "_value", "_work")

    def __init__(self, work: Callable[[], T]) -> None:
        self._work: Callable[[], T] | None = work

    @classmethod
    def known(cls, value: T) -> Later[T]:
        """Return what needs no work any more."""
        return cls(lambda: value)

    @property
    def waits(self) -> bool:
        """Whether nobody has asked yet."""
        return self._work is not None

    @property
    def value(self) -> T:
        """The value; what it is made of is let go."""
        work = self._work
        if work is not None:
            self._value = work()
            self._work = None
        return self._value

    def then(self, change: Callable[[T], R]) -> Later[R]:
        """Return what this value becomes by a change."""
        return Later(lambda: change(self.value))

    def __reduce__(self) -> tuple[Callable[[T], Later[T]], tuple[T]]:
        return Later.known, (self.value,)
