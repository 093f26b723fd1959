"""Statistics of arrays."""

import math
import struct
from functools import partial
from typing import Any, NamedTuple, Optional

import numpy

from . import _core
from ._arrays import check_axis, default_axis, to_index, to_numpy


class Stats(NamedTuple):
    """What stats() gives: numbers, or arrays with the other axes of x."""

    count: Any  #: samples, those that are NaN included
    nans: Any
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
        between = ", " if numpy.ndim(self.count) == 0 else ",\n      "
        return f"Stats({between.join(f'{name}={value!s}' for name, value in self._asdict().items())})"


# The library's records are of words of 64 bits; the type of their extremes is one of three.
_EXTREMES = {"f8": struct.Struct("=3d").unpack_from, "i8": struct.Struct("=2qQ").unpack_from}
_EXTREMES["u8"] = struct.Struct("=3Q").unpack_from
_NOWHERE = (numpy.intp(-1),) * 3
_RECORD = _core.record_bytes // 8


def _type(dtype: Any, of_abs: bool) -> Any:
    """Of the extremes of samples."""
    if dtype.kind == "c":
        return numpy.float64
    return numpy.uint64 if of_abs and dtype.kind != "f" else dtype.type


def _blocks(length: int, every: int) -> int:
    return max(1, -(-length // every)) if every else 1


def _kind(dtype: Any) -> str:
    """How the library's records have extremes."""
    return f"{dtype.kind}8" if dtype.kind in "iu" and dtype.itemsize == 8 else "f8"


def _records(x: Any, axis: int, every: int) -> Any:
    """The words of records, in front of the other axes of x and the blocks."""
    blocks = _blocks(x.shape[axis], every)
    if x.ndim == 1:
        return numpy.frombuffer(_core.records(x, 0, every), numpy.intp).reshape((blocks, _RECORD)).T.copy()
    dimensions = [i for i in range(x.ndim) if i != axis]
    others = [x.shape[i] for i in dimensions]
    lanes = math.prod(others)
    # Neighbours in memory go together.
    if any(abs(x.strides[i]) < abs(x.strides[axis]) and x.shape[i] > 1 for i in dimensions):
        data = _core.records(x.transpose(axis, *dimensions).reshape(x.shape[axis], lanes), 0, every)
        words = numpy.frombuffer(data, numpy.intp).reshape((blocks, lanes, _RECORD)).transpose(2, 1, 0)
    else:
        data = _core.records(x.transpose(*dimensions, axis).reshape(lanes, x.shape[axis]), 1, every)
        words = numpy.frombuffer(data, numpy.intp).reshape((lanes, blocks, _RECORD)).transpose(2, 0, 1)
    return words.copy().reshape((_RECORD, *others, blocks))


def _of_words(words: Any, dtype: Any) -> Stats:
    numbers = words.view("f8")
    count, nans, positions = words[4], words[5], words[10:13]
    positions -= count == nans  # they were 0
    raw = words.view(_kind(dtype))
    extremes = [raw[i].astype(_type(dtype, False), copy=False) for i in (7, 8)]
    magnitude = numbers[9] if _kind(dtype) == "f8" else words[9].view("u8")
    extremes.append(magnitude.astype(_type(dtype, True), copy=False))
    return Stats(count, nans, *extremes, *positions, *numbers[13:16])


def _numbers(data: bytes, dtype: Any) -> Stats:
    """A single record."""
    words, floats = numpy.frombuffer(data, numpy.intp), numpy.frombuffer(data)
    low, high, magnitude = _EXTREMES[_kind(dtype)](data, 7 * 8)
    extreme, of_abs = _type(dtype, False), _type(dtype, True)
    count, nans = words[4], words[5]
    at: Any = words[10:13] if nans != count else _NOWHERE
    extremes = extreme(low), extreme(high), of_abs(magnitude)
    return Stats(count, nans, *extremes, at[0], at[1], at[2], floats[13], floats[14], floats[15])


def _check_samples(shape: Any, axis: int, dtype: Any) -> None:
    if shape[axis] == 0 and dtype.kind in "biu":
        raise ValueError(f"x has no samples along axis {axis}, and {dtype} has no NaN for their extremes")


def _finish(x: Any, call: Any, library: Any, records: Any, shape: Any, axis: int, dtype: Any, every: int) -> Stats:
    """Of records on a device, a row of words each: the members of gpuenv_record. All is enqueued."""
    _check_samples(shape, axis, dtype)
    blocks = _blocks(shape[axis], every)
    words = library.apart(records.reshape((*shape[:axis], blocks, *shape[axis + 1 :], records.shape[1])), axis)
    if not every:
        words = words.reshape(words.shape[:-1])
    numbers = library.doubles(words)
    count, nans, positions = words[4], words[5], words[10:13]
    positions -= library.cast(count == nans, numpy.dtype("i8"))  # they were 0
    signed = numpy.dtype("f8") if dtype.kind == "c" else dtype
    extremes = [library.cast(numbers[7 + i], signed) for i in range(2)]
    extremes.append(library.cast(numbers[9], signed if signed.kind == "f" else library.integer))
    fields = [count, nans, *extremes, positions[0], positions[1], positions[2], numbers[13], numbers[14], numbers[15]]
    return Stats(*(call.give(x, field) for field in fields))


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
        Of each so many samples, along a last axis of the results.
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
    Stats(count=4, nans=1, min=-4.0, max=3.0, abs=4.0, argmin=1, argmax=0, argabs=1, sum=0.0, mean=0.0, rms=2.943920288775949)
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
    if every is None and array.ndim == 1:
        return _numbers(_core.records(array, 0, 0), array.dtype)
    records = _records(array, axis % array.ndim, min(length, 2**62))
    if every is None:
        records = records[..., 0]
    return _of_words(records, array.dtype)
