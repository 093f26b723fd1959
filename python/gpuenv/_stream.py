"""Samples that come in pieces."""

from typing import Any, List, Optional, Tuple

import numpy

from . import _core
from ._arrays import check_axis, default_axis, give_back, is_foreign, to_index, to_numpy

_ROOM = 1 << 16  # results at a time


class Stream:
    """Running minimum and maximum of samples that come in pieces of any size.

    Stream(w, *, axis=None, align='valid', edge='shrink', hop=1, nan=None, min_count=None, threads=None)

    The arguments are those of minmax(). push() takes the next samples along the axis, and returns the results that are
    known then; finish() returns those of the windows that the end cuts. Together they are what minmax() makes of all
    samples at once.

    >>> import gpuenv
    >>> stream = gpuenv.Stream(3, align='center')
    >>> stream.push([3, 1, 4, 1])
    (array([1, 1, 1]), array([3, 4, 4]))
    >>> stream.push([5, 9])
    (array([1, 1]), array([5, 9]))
    >>> stream.finish()
    (array([5]), array([9]))

    One thread at a time may use a stream.
    """

    def __init__(
        self,
        w: int,
        *,
        axis: Optional[int] = None,
        align: str = "valid",
        edge: str = "shrink",
        hop: int = 1,
        nan: Optional[str] = None,
        min_count: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None:
        self._window: Any = {"w": w, "align": align, "edge": edge, "hop": hop, "nan": nan, "min_count": min_count}
        self._window["threads"] = threads
        self._axis: Any = None if axis is None else to_index(axis, "axis")
        self._core: Optional[_core.Stream] = None
        self._dtype: Any = numpy.dtype("f8")
        self._others: Tuple[int, ...] = ()
        self._like: Any = None
        self._ended = False
        _core.minmax(numpy.empty(0, "f8"), **self._window)  # wrong arguments are found here

    def __reduce__(self) -> Any:
        raise TypeError("a Stream cannot be copied or pickled")

    def _give(self, results: Any) -> Tuple[Any, Any]:
        """(frames, channels, 2) as two arrays with the axes of what was pushed."""
        pair: List[Any] = []
        channels = int(numpy.prod(self._others, dtype=numpy.intp))
        for i in range(2):
            values = results[:, :channels, i].reshape((len(results),) + self._others)
            axis = self._axis if self._axis < 0 else min(self._axis, values.ndim - 1)
            values = numpy.ascontiguousarray(numpy.moveaxis(values, 0, axis))
            pair.append(values if self._like is None else give_back(self._like, values))
        return pair[0], pair[1]

    def push(self, x: Any) -> Tuple[Any, Any]:
        """Takes samples, and returns the results that are known now: (lo, hi)."""
        array = to_numpy(x)
        if self._ended:
            raise ValueError("the stream has ended")
        if self._axis is None:
            self._axis = default_axis(x)
        check_axis(self._axis, array.ndim)
        frames = numpy.moveaxis(array, self._axis, 0)
        others = frames.shape[1:]
        dtype = array.dtype.newbyteorder("=")
        if self._core is not None and (others != self._others or dtype != self._dtype):
            kind = TypeError if dtype != self._dtype else ValueError
            raise kind(f"x has {dtype}, {others} beside the axis; the stream has {self._dtype}, {self._others}")
        packed = numpy.ascontiguousarray(frames, dtype)
        packed = packed.reshape(len(frames), int(numpy.prod(others, dtype=numpy.intp)))
        if packed.shape[1] == 0:
            packed = numpy.zeros((len(frames), 1), dtype)  # whose results are left out
        if self._core is None:
            self._core = _core.Stream(packed, **self._window)
            self._dtype = dtype
            self._others = others
            self._like = x if is_foreign(x) else None
        return self._give(self._core.push(packed))

    def finish(self) -> Tuple[Any, Any]:
        """Ends the stream, and returns the results that are left: (lo, hi)."""
        self._ended = True
        if self._core is None:
            return numpy.empty(0, "f8"), numpy.empty(0, "f8")
        room = max(1, _ROOM // max(1, int(numpy.prod(self._others, dtype=numpy.intp))))
        parts = [self._core.finish(room)]
        while len(parts[-1]) > 0:
            parts.append(self._core.finish(room))
        return self._give(numpy.concatenate(parts))
