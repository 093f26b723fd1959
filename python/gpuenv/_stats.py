# SPDX-License-Identifier: MIT
"""Statistics of arrays."""

import math
from functools import partial
from typing import Any, NamedTuple, Optional

import numpy

from . import _core
from ._arrays import check_axis, default_axis, to_index, to_numpy


class Stats(NamedTuple):
    """What stats() gives: numbers, or arrays with the other axes of x."""

    size: Any  #: the number of samples, those that are NaN included
    nans: Any  #: the number of those that are NaN
    min: Any
    max: Any
    abs: Any  #: the largest magnitude
    argmin: Any  #: where they are along the axis; the first of equals; -1 where all are NaN
    argmax: Any
    argabs: Any
    sum: Any
    mean: Any
    rms: Any

    def __repr__(self) -> str:
        between = ", " if numpy.ndim(self.size) == 0 else ",\n      "
        return f"Stats({between.join(f'{name}={value!s}' for name, value in self._asdict().items())})"


_F8, _I8 = numpy.dtype("f8"), numpy.dtype("i8")


def _blocks(length: int, every: int) -> int:
    return max(1, -(-length // every)) if every else 1


def _cast(value: Any, kind: Any) -> Any:
    return value.astype(kind) if value.ndim else kind(value.item())


def _of_words(words: Any, dtype: Any) -> Stats:
    """Of words of 64 bits, a row for each of the members. The type of the extremes is one of three."""
    floats = words.view(_F8)
    low, high, magnitude = floats[2], floats[3], floats[4]
    kind = dtype.type
    if dtype.kind in "iu" and dtype.itemsize == 8:
        (low, high), magnitude = words[2:4].view(kind), words[4].view("u8")
    elif dtype.char not in "dFD":
        low, high = _cast(low, kind), _cast(high, kind)
        magnitude = _cast(magnitude, kind if dtype.kind == "f" else numpy.uint64)
    return Stats(words[0], words[1], low, high, magnitude, words[5], words[6], words[7], floats[8], floats[9], floats[10])


def _check_samples(shape: Any, axis: int, dtype: Any) -> None:
    if shape[axis] == 0 and dtype.kind in "biu":
        raise ValueError(f"x has no samples along axis {axis}, and {dtype} has no NaN for their extremes")


def _finish(x: Any, call: Any, library: Any, words: Any, shape: Any, axis: int, dtype: Any, every: int) -> Stats:
    """Of words on a device, which have the columns of all members. All is enqueued. `x` is None for arrays of the library."""
    _check_samples(shape, axis, dtype)
    others = shape[:axis] + shape[axis + 1 :]
    if every:
        others += (_blocks(shape[axis], every),)
    kind = _F8 if dtype.kind == "c" else dtype
    cut = partial(library.cut, words, others, 8 * math.prod(others))
    count, nans, argmin, argmax, argabs = cut(0, _I8, 5)
    sums = cut(5, _F8, 3)
    if kind.kind == "f":
        abs, min, max = cut(8, kind, 3)
    else:
        (abs,), (min, max) = cut(8, library.integer, 1), cut(9, kind, 2)
    found = Stats(count, nans, min, max, abs, argmin, argmax, argabs, *sums)
    return found if x is None else Stats(*(call.give(x, column) for column in found))


def stats(x: Any, *, axis: Optional[int] = None, every: Optional[int] = None, stream: Any = None) -> Stats:
    """Statistics along an axis.

    Minimum, maximum and magnitude are exact. NaN are counted, and otherwise ignored. Sums have the same bits on each
    machine, for any number of threads.

    Parameters
    ----------
    x : array
        As for minmax().
    axis : int, optional
        The last one; of a DataFrame the first.
    every : int, optional
        Statistics of each block of so many samples, along a new last axis of the results.
    stream : optional
        For arrays on a CUDA device, as for minmax().

    Returns
    -------
    Stats
        Numbers and arrays of NumPy; of an array on a CUDA device arrays there, and the call returns before they are
        computed, on the stream.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> s = gpuenv.stats(numpy.array([3., -4., numpy.nan, 1.]))
    >>> s
    Stats(size=4, nans=1, min=-4.0, max=3.0, abs=4.0, argmin=1, argmax=0, argabs=1, sum=0.0, mean=0.0, rms=2.943920288775949)
    >>> gpuenv.stats(numpy.arange(10), every=4).max
    array([3, 7, 9])
    """
    axis = default_axis(x) if axis is None else to_index(axis, "axis")
    length = 0 if every is None else to_index(every, "every")
    if every is not None and length < 1:
        raise ValueError("every must be 1 or more")
    if type(x) is numpy.ndarray:
        array = x
    else:
        there = _core.device_records(x, axis, min(length, 2**62), stream, partial(_finish, every=length))
        if there is not None:
            found: Stats = there
            return found
        array = to_numpy(x)
    if stream is not None:
        raise ValueError("stream is for arrays on a CUDA device, and x is in main memory")
    check_axis(axis, array.ndim)
    _check_samples(array.shape, axis, array.dtype)
    return _of_words(_core.records(array, axis, min(length, 2**62)), array.dtype)
