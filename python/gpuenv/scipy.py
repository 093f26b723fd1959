"""Minimum and maximum filters and grey morphology with the arguments of scipy.ndimage, and the same results.

>>> from gpuenv.scipy import maximum_filter1d
>>> maximum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=3)
array([8, 8, 8, 4, 9, 9, 9, 9])

Three things are better: integers of 64 bits are exact above 2^53, a NaN makes all windows that it is in NaN, and
float16 is taken. Wrong arguments are a TypeError or a ValueError.

Windows along several axes are boxes without weights: `size`, a `footprint` that is true all over, or a `structure` of zeros.
Arrays on a CUDA device stay there.
"""

import math
import warnings
from typing import Any, Callable, Literal, Optional, Sequence, Tuple, Union

import numpy

from . import _core
from ._arrays import check_axis, give_back, is_foreign, to_index, to_numpy
from ._boxes import find_axes, per_axis

__all__ = [
    "black_tophat",
    "grey_closing",
    "grey_dilation",
    "grey_erosion",
    "grey_opening",
    "maximum_filter",
    "maximum_filter1d",
    "minimum_filter",
    "minimum_filter1d",
    "morphological_gradient",
    "white_tophat",
]

_Mode = Literal["reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap"]
_MODES = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "constant": "constant",
    "grid-constant": "constant",
    "nearest": "nearest",
    "mirror": "mirror",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}


def _inside(position: Any, n: int, mode: str) -> Any:
    """The samples that stand for those outside of the array."""
    if mode == "wrap":
        return position % n
    if mode == "reflect":
        position = position % (2 * n)
        return numpy.where(position < n, position, 2 * n - 1 - position)
    if mode == "mirror" and n > 1:
        position = position % (2 * n - 2)
        return numpy.where(position < n, position, 2 * n - 2 - position)
    return numpy.clip(position, 0, n - 1)


def _part(axis: int, first: int, end: int) -> Tuple[Any, ...]:
    return (slice(None),) * axis + (slice(first, end),)


def _align(mode: str, before: int, size: int) -> Optional[str]:
    """How to place the window so that what is beyond the ends adds no value: it repeats an end, or what the window has."""
    if mode == "reflect" and before == size // 2:
        return "center"
    if mode != "nearest":
        return None
    return "center" if before == size // 2 else "causal" if before == size - 1 else "forward" if before == 0 else None


class _Filter:
    """A window of samples from `before` to `after` a place, over an array that goes on beyond its ends."""

    def __init__(self, function: Callable[..., Any], axis: int, before: int, after: int, mode: str, cval: Any):
        self.function = function
        self.axis = axis
        self.before = before
        self.after = after
        self.mode = mode
        self.cval = cval

    def extended(self, x: Any, first: int, end: int) -> Any:
        n = x.shape[self.axis]
        position = numpy.arange(first, end)
        samples = numpy.take(x, _inside(position, n, self.mode), axis=self.axis)
        if self.mode == "constant":
            samples[(slice(None),) * self.axis + ((position < 0) | (position >= n),)] = self.cval
        return samples

    def run(self, x: Any, out: Any) -> None:
        n = x.shape[self.axis]
        w = self.before + self.after + 1
        if x.size == 0:
            return
        align = _align(self.mode, self.before, w)
        if align is not None:
            self.function(x, w, axis=self.axis, align=align, out=out)
            return
        if w > n:
            self.run_extended(x, out)
            return
        self.function(x, w, axis=self.axis, out=out[_part(self.axis, self.before, n - self.after)])
        if self.before > 0:
            left = self.extended(x, -self.before, self.before + self.after)
            self.function(left, w, axis=self.axis, out=out[_part(self.axis, 0, self.before)])
        if self.after > 0:
            right = self.extended(x, n - self.after - self.before, n + self.after)
            self.function(right, w, axis=self.axis, out=out[_part(self.axis, n - self.after, n)])

    def run_extended(self, x: Any, out: Any) -> None:
        # After two lengths all samples have been there.
        n = x.shape[self.axis]
        before = min(self.before, 2 * n)
        after = min(self.after, 2 * n)
        self.function(self.extended(x, -before, n + after), before + after + 1, axis=self.axis, out=out)


def _holds(dtype: Any, cval: Any) -> bool:
    """Can an array have this constant beyond its ends?"""
    if cval == 0:
        return True
    if dtype.kind == "f":
        with numpy.errstate(over="ignore"):
            return bool(cval != cval or dtype.type(cval) == cval)
    low, high = _limits(dtype)
    return bool(cval == cval and low <= cval <= high and int(cval) == cval)


def _limits(dtype: Any) -> Tuple[int, int]:
    return (0, 1) if dtype.kind == "b" else (int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max))


def _stand_in(dtype: Any, cval: float, least: bool) -> Tuple[int, Any]:
    """The integer that takes the place of a constant which the type cannot hold, and in which windows beyond an end the
    constant is the extreme: in all, in none, or (None) where the integer is."""
    low, high = _limits(dtype)
    if cval != cval or (cval < low if least else cval > high):
        return low, True
    if cval < low or cval > high:
        return (high if least else low), False
    return (math.ceil(cval) if least else math.floor(cval)), None


def _put_constant(results: Any, output: Any, job: _Filter, cval: float, wins: Any) -> None:
    n = results.shape[job.axis]
    for part in (_part(job.axis, 0, min(job.before, n)), _part(job.axis, max(0, n - job.after), n)):
        where = results[part] == job.cval if wins is None else wins
        numpy.copyto(output[part], numpy.float64(cval), casting="unsafe", where=where)


def _output(output: Any, x: Any) -> Any:
    if output is None:
        return numpy.empty(x.shape, x.dtype.newbyteorder("="))
    if isinstance(output, (type, numpy.dtype, str)):
        return numpy.empty(x.shape, output)
    if not isinstance(output, numpy.ndarray):
        raise TypeError("output must be an array or a dtype")
    if output.shape != x.shape:
        raise ValueError("output shape not correct")
    return output


def _filter1d(
    function: Callable[..., Any], input: Any, size: int, axis: int, output: Any, mode: str, cval: Any, origin: int
) -> Any:
    x = input if type(input) is numpy.ndarray else to_numpy(input)
    if x.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    size, axis, origin = to_index(size, "size"), to_index(axis, "axis"), to_index(origin, "origin")
    check_axis(axis, x.ndim)
    if size < 1:
        raise ValueError("incorrect filter size")
    before = size // 2 + origin
    if output is not None:
        output = _output(output, x)
        if output.dtype.kind == "c":
            raise TypeError("Complex type not supported")
    if not 0 <= before < size:
        raise ValueError("invalid origin")
    if not isinstance(mode, str) or mode not in _MODES:
        raise ValueError("boundary mode not supported")
    if not isinstance(cval, (int, float)) and not hasattr(cval, "__float__"):
        raise TypeError(f"cval must be a number, not {type(cval).__name__}")
    mode = _MODES[mode]
    align = _align(mode, before, size)
    if output is None and align is not None:
        return function(x, size, axis=axis, align=align)
    if output is None:
        output = _output(None, x)
    constant, wins = cval, False
    if mode == "constant" and not _holds(x.dtype, cval):
        if x.dtype.kind in "iu" and x.dtype.itemsize == 8:
            cval, wins = _stand_in(x.dtype, float(cval), function is _core.minimum)
        else:
            x = x.astype("f8")
    job = _Filter(function, axis % x.ndim, before, size - 1 - before, mode, cval)
    results = output
    if output.dtype != x.dtype or numpy.may_share_memory(x, output):
        results = numpy.empty(x.shape, x.dtype.newbyteorder("="))
    job.run(x, results)
    if results is output and wins is False:
        return output
    with numpy.errstate(invalid="ignore", over="ignore"):
        if results is not output:
            numpy.copyto(output, results, casting="unsafe")
        if wins is not False:
            _put_constant(results, output, job, constant, wins)
    return output


def minimum_filter1d(
    input: Any,
    size: int,
    axis: int = -1,
    output: Any = None,
    mode: _Mode = "reflect",
    cval: Any = 0.0,
    origin: int = 0,
) -> Any:
    """Running minimum, as scipy.ndimage.minimum_filter1d.

    Parameters
    ----------
    input : array
    size : int
        The window of result k has the samples k-size//2-origin .. k-size//2-origin+size-1.
    axis : int
    output : array or dtype, optional
        For the results, or their type.
    mode : {'reflect', 'constant', 'nearest', 'mirror', 'wrap'}
        What is beyond the ends: 'reflect' (d c b a | a b c d | d c b a), 'mirror' (d c b | a b c d | c b a), 'nearest'
        (a a a | a b c d | d d d), 'wrap' (b c d | a b c d | a b c), or 'constant' (cval).
    cval : number
    origin : int

    Returns
    -------
    array
        Of NumPy.

    Examples
    --------
    >>> from gpuenv.scipy import minimum_filter1d
    >>> minimum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return _filter1d(_core.minimum, input, size, axis, output, mode, cval, origin)


def maximum_filter1d(
    input: Any,
    size: int,
    axis: int = -1,
    output: Any = None,
    mode: _Mode = "reflect",
    cval: Any = 0.0,
    origin: int = 0,
) -> Any:
    """Running maximum, as scipy.ndimage.maximum_filter1d. The parameters are those of minimum_filter1d().

    Examples
    --------
    >>> from gpuenv.scipy import maximum_filter1d
    >>> maximum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=2, mode='wrap')
    array([2, 8, 8, 4, 4, 9, 9, 9])
    """
    return _filter1d(_core.maximum, input, size, axis, output, mode, cval, origin)


# ---- along several axes


def _box(size: Any, footprint: Any, structure: Any) -> Any:
    """The lengths of a window without weights."""
    if size is not None and footprint is not None:
        warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=3)
    for name, value in (("structure", structure), ("footprint", footprint)):
        if value is not None:
            array = numpy.asarray(value)
            if array.any() if name == "structure" else not array.astype(bool).all():
                raise ValueError(f"{name} must be a box without weights, such as size= makes")
            size = array.shape
    if size is None:
        raise ValueError("size, footprint, or structure must be specified")
    return size


def _is_elsewhere(x: Any) -> bool:
    """Is x an array that NumPy cannot read?"""
    return is_foreign(x) and x.__dlpack_device__()[0] in (2, 13)  # CUDA, managed


def _on_device(function: Any, x: Any, size: int, axis: int, output: Any, mode: str, origin: int) -> Any:
    align = _align(_MODES.get(mode, ""), size // 2 + origin, size)
    if align is None:
        raise ValueError("on a device mode must be 'reflect' without an origin, or 'nearest': copy the array to main memory")
    return function(x, size, axis=axis, align=align, out=output)


def _filter(
    function: Any, input: Any, size: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any, mirrored: bool = False
) -> Any:
    """By a pass along each axis, the last one into output."""
    elsewhere = _is_elsewhere(input)
    x = input if elsewhere else to_numpy(input)
    found = find_axes(range(len(x.shape)) if axes is None else axes, len(x.shape))
    sizes = [to_index(one, "size") for one in per_axis(size, len(found), "size")]
    origins = [to_index(one, "origin") for one in per_axis(origin, len(found), "origin")]
    modes = per_axis(mode, len(found), "mode")
    if mirrored:
        origins = [-one - (1 - length % 2) for one, length in zip(origins, sizes)]
    if min(sizes, default=1) < 1:
        raise ValueError("incorrect filter size")
    jobs = [job for job in zip(sizes, found, modes, origins) if job[0] > 1] or [(1, 0, "reflect", 0)]
    if elsewhere:
        for i, (length, axis, one_mode, shift) in enumerate(jobs):
            x = _on_device(function, x, length, axis, output if i + 1 == len(jobs) else None, one_mode, shift)
        return x
    if x.ndim == 0:
        raise ValueError("input must have a dimension")
    between = None
    if output is not None:
        output = _output(output, x)
        between = output.dtype
    for length, axis, one_mode, shift in jobs[:-1]:
        x = _filter1d(function, x, length, axis, between, one_mode, cval, shift)
    length, axis, one_mode, shift = jobs[-1]
    x = _filter1d(function, x, length, axis, output, one_mode, cval, shift)
    return give_back(input, x) if is_foreign(input) and output is None else x


def _is_array(x: Any) -> bool:
    return isinstance(x, numpy.ndarray) or is_foreign(x)


def _less(one: Any, other: Any, to: Any, xor: bool = True) -> Any:
    """A difference, of bool where they differ; in an array, where there is one."""
    xor = xor and all(str(x.dtype).endswith("bool") for x in (one, other))
    if isinstance(to, numpy.ndarray):
        subtract: Any = numpy.bitwise_xor if xor else numpy.subtract
        return subtract(one, other, out=to)
    found = one ^ other if xor else one - other
    if to is None:
        return found
    to[...] = found
    return to


_Sizes = Union[int, Sequence[int], None]
_Modes = Union[_Mode, Sequence[_Mode]]
_Axes = Union[int, Sequence[int], None]


def minimum_filter(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Minimum of boxes, as scipy.ndimage.minimum_filter.

    Parameters
    ----------
    input : array
        Of NumPy, or another library with DLPack. On a CUDA device mode is 'reflect', without an origin, or 'nearest'.
    size : int or sequence of int
        The lengths of the window along the axes.
    footprint : array of bool, optional
        Only one that is true all over: its shape is the size.
    output, mode, cval, origin
        Those of minimum_filter1d(); mode and origin may be sequences, of one for each axis.
    axes : int or sequence of int, optional
        All axes.

    Returns
    -------
    array
        Of the library of input.

    Examples
    --------
    >>> import numpy
    >>> from gpuenv.scipy import minimum_filter
    >>> minimum_filter(numpy.array([[5, 2, 7], [3, 9, 8], [6, 4, 9]]), size=2)
    array([[5, 2, 2],
           [3, 2, 2],
           [3, 3, 4]])
    """
    return _filter(_core.minimum, input, _box(size, footprint, None), output, mode, cval, origin, axes)


def maximum_filter(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Maximum of boxes, as scipy.ndimage.maximum_filter. The parameters are those of minimum_filter().

    Examples
    --------
    >>> import numpy
    >>> from gpuenv.scipy import maximum_filter
    >>> maximum_filter(numpy.eye(3, dtype=int), size=(1, 2))
    array([[1, 1, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    return _filter(_core.maximum, input, _box(size, footprint, None), output, mode, cval, origin, axes)


def grey_erosion(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Erosion, as scipy.ndimage.grey_erosion: the minimum of boxes. The parameters are those of
    minimum_filter(); structure may be zeros, whose shape is the size.
    """
    size = _box(size, footprint, structure)
    return _filter(_core.minimum, input, size, output, mode, cval, origin, axes)


def grey_dilation(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Dilation, as scipy.ndimage.grey_dilation: the maximum of boxes, mirrored. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    return _filter(_core.maximum, input, size, output, mode, cval, origin, axes, True)


def grey_opening(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Erosion, then dilation, as scipy.ndimage.grey_opening. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    eroded = _filter(_core.minimum, input, size, None, mode, cval, origin, axes)
    return _filter(_core.maximum, eroded, size, output, mode, cval, origin, axes, True)


def grey_closing(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Dilation, then erosion, as scipy.ndimage.grey_closing. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    dilated = _filter(_core.maximum, input, size, None, mode, cval, origin, axes, True)
    return _filter(_core.minimum, dilated, size, output, mode, cval, origin, axes)


def white_tophat(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """What an opening takes away, as scipy.ndimage.white_tophat. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    x = input if is_foreign(input) else to_numpy(input)
    eroded = _filter(_core.minimum, x, size, None, mode, cval, origin, axes)
    opened = _filter(_core.maximum, eroded, size, output, mode, cval, origin, axes, True)
    return _less(x, opened, None if output is None else opened)


def black_tophat(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """What a closing adds, as scipy.ndimage.black_tophat. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    x = input if is_foreign(input) else to_numpy(input)
    dilated = _filter(_core.maximum, x, size, None, mode, cval, origin, axes, True)
    closed = _filter(_core.minimum, dilated, size, output, mode, cval, origin, axes)
    return _less(closed, x, None if output is None else closed)


def morphological_gradient(
    input: Any,
    size: _Sizes = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: _Modes = "reflect",
    cval: Any = 0.0,
    origin: Union[int, Sequence[int]] = 0,
    *,
    axes: _Axes = None,
) -> Any:
    """Dilation minus erosion, as scipy.ndimage.morphological_gradient. The parameters are those of grey_erosion()."""
    size = _box(size, footprint, structure)
    x = input if is_foreign(input) else to_numpy(input)
    dilated = _filter(_core.maximum, x, size, None, mode, cval, origin, axes, True)
    to = output if _is_array(output) else None
    eroded = _filter(_core.minimum, x, size, to, mode, cval, origin, axes)
    return _less(dilated, eroded, to, xor=False)
