# SPDX-License-Identifier: MIT
"""Samples that come in pieces."""

import math
from typing import TYPE_CHECKING, Any, Literal, Optional, Tuple, TypeVar, overload

import numpy

from . import _core
from ._arrays import default_axis, give_back, is_foreign, to_index, to_numpy

if TYPE_CHECKING:
    _Foreign = TypeVar("_Foreign", bound=_core._DLPack)
    _Float = TypeVar("_Float", bound=numpy.floating[Any])
    _Floats = numpy.ndarray[Any, numpy.dtype[_Float]]
    _Opened = Tuple[_core._OpenStream, int, int, Any]  # its axis, its channels, an array of another library or None

_ROOM = 1 << 16  # results at a time
_DEFAULTS = {"align": "valid", "edge": "shrink", "hop": 1}


def _give(like: Any, pair: Tuple[Any, Any]) -> Tuple[Any, Any]:
    return pair if like is None else (give_back(like, pair[0]), give_back(like, pair[1]))


class Stream:
    """Running minimum and maximum of samples that come in pieces of any size.

    push() takes the next samples along the axis, and returns the results that are known then; finish() returns those of
    the windows that the end cuts. Together they are what minmax() makes of all samples at once. One thread at a time may
    use a stream. The end of a `with` frees its memory.

    Parameters
    ----------
    w, axis, align, edge, hop, nan, min_count, threads
        Those of minmax().

    Examples
    --------
    >>> import gpuenv
    >>> with gpuenv.Stream(3, align='center') as stream:
    ...     stream.push([3, 1, 4, 1])
    ...     stream.push([5, 9])
    ...     stream.finish()
    (array([1, 1, 1]), array([3, 4, 4]))
    (array([1, 1]), array([5, 9]))
    (array([5]), array([9]))
    """

    _opened: "Optional[_Opened]" = None

    def __init__(
        self,
        w: int,
        *,
        axis: Optional[int] = None,
        align: Literal["valid", "causal", "center", "forward"] = "valid",
        edge: Literal["shrink", "nan"] = "shrink",
        hop: int = 1,
        nan: Optional[Literal["propagate", "omit", "error"]] = None,
        min_count: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None:
        self._window: Any = {"w": w, "align": align, "edge": edge, "hop": hop, "nan": nan, "min_count": min_count}
        self._window["threads"] = threads
        self._axis: Any = None if axis is None else to_index(axis, "axis")
        self._ended = False
        _core.minmax(numpy.empty(0, "f8"), **self._window)  # wrong arguments are found here

    def __repr__(self) -> str:
        given = {"axis": self._axis, **self._window}
        words = [repr(given.pop("w"))] + [f"{name}={given[name]!r}" for name in given if given[name] != _DEFAULTS.get(name)]
        return f"Stream({', '.join(words)})"

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._opened = None

    def __reduce__(self) -> Any:
        raise TypeError("a Stream cannot be copied or pickled")

    def _open(self, x: Any, array: "numpy.ndarray[Any, Any]") -> "Optional[_Opened]":
        axis = default_axis(x) if self._axis is None else self._axis
        core = _core.stream(array, axis=axis, **self._window)
        self._axis = axis
        others = math.prod(n for i, n in enumerate(array.shape) if i != axis % array.ndim)
        like = x if is_foreign(x) else None
        # Threads that push the first samples at once share the stream of one of them.
        opened: "Optional[_Opened]" = self.__dict__.setdefault("_opened", (core, axis, others, like))
        return opened

    @overload
    def push(self, x: "_Floats[_Float]") -> "Tuple[_Floats[_Float], _Floats[_Float]]": ...
    @overload
    def push(self, x: "numpy.ndarray[Any, Any]") -> "Tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]": ...
    @overload
    def push(self, x: "_Foreign") -> "Tuple[_Foreign, _Foreign]": ...
    @overload
    def push(self, x: "_core._Readable") -> "Tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]": ...
    def push(self, x: Any) -> Tuple[Any, Any]:
        """Takes samples, and returns the results that are known now.

        Parameters
        ----------
        x : array
            With the type and the shape, but for the axis, of those before.

        Returns
        -------
        lo, hi : arrays
        """
        array = x if type(x) is numpy.ndarray else to_numpy(x)
        opened = self._opened or self._open(x, array)
        if self._ended or opened is None:
            raise ValueError("the stream has ended")
        return _give(opened[3], opened[0].push(array))

    def finish(self) -> "Tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]":
        """Ends the stream, and returns the results that are left.

        Returns
        -------
        lo, hi : arrays
            Of the library of what was pushed; type checkers take them for NumPy's.
        """
        self._ended = True
        opened = self._opened
        if opened is None:
            return numpy.empty(0, "f8"), numpy.empty(0, "f8")
        core, axis, others, like = opened
        room = max(1, _ROOM // max(1, others))
        parts = [core.finish(room)]
        while parts[-1][0].shape[axis] > 0:
            parts.append(core.finish(room))
        lo, hi = (numpy.concatenate(side, axis) for side in zip(*parts))
        return _give(like, (lo, hi))
