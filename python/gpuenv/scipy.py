# SPDX-License-Identifier: MIT
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
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Optional, Protocol, Sequence, Tuple, TypeVar, Union
from typing import get_args, overload

import numpy

from . import _core
from ._arrays import check_axis, give_back, is_foreign, to_index, to_numpy
from ._boxes import box, find_axes, part, per_axis

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
_MODES = {**{mode: mode.replace("grid-", "") for mode in get_args(_Mode)}, "grid-mirror": "reflect"}
_LIMITS: Dict[str, Tuple[Any, Any]] = {
    "?": (0, 1),
    **{kind: (numpy.iinfo(kind).min, numpy.iinfo(kind).max) for kind in numpy.typecodes["AllInteger"]},
    **{kind: (float(numpy.finfo(kind).min), float(numpy.finfo(kind).max)) for kind in "efd"},
}
if TYPE_CHECKING:
    _Array = TypeVar("_Array", bound=_core._DLPack)
    _Numpy = TypeVar("_Numpy", bound=numpy.ndarray[Any, Any])
_SMALL = 1 << 16  # samples; of more only those at the ends are copied


def _align(mode: str, before: int, size: int) -> Optional[str]:
    """How to place the window so that what is beyond the ends adds no value: it repeats an end, or what the window has."""
    if mode == "reflect" and before == size // 2:
        return "center"
    if mode != "nearest":
        return None
    return "center" if before == size // 2 else "causal" if before == size - 1 else "forward" if before == 0 else None


def _run(function: Callable[..., Any], x: Any, axis: int, before: int, after: int, mode: str, constant: Any, out: Any) -> Any:
    """The window of a result reaches from `before` to `after` its place."""
    size = before + after + 1
    align = _align(mode, before, size) if mode in ("reflect", "nearest") else None
    samples, n = x.size, x.shape[axis]
    if align is not None or samples == 0:
        return function(x, size, axis=axis, align=align or "center", out=out)
    if samples <= _SMALL or size > n:
        if size > 2 * n:  # after two lengths all samples have been there
            before, after = min(before, 2 * n), min(after, 2 * n)
        return function(x, before + after + 1, axis=axis, out=out, _beyond=(-before, n + after, mode, constant))
    if out is None:
        out = numpy.empty(x.shape, x.dtype.newbyteorder("="))
    function(x, size, axis=axis, out=out[part(axis, before, n - after)])
    for first, end in ((0, before), (n - after, n)):
        if first < end:
            beyond = first - before, end + after, mode, constant
            function(x, size, axis=axis, out=out[part(axis, first, end)], _beyond=beyond)
    return out


def _sample(dtype: Any, cval: Any) -> Any:
    """The constant as a sample: a scalar of NumPy, or a float for float64, and for zeros of all types. None: the type does not
    hold it."""
    if dtype.char == "d" or (cval == 0 and math.copysign(1, cval) > 0):
        return float(cval)
    if isinstance(cval, numpy.generic):
        cval = cval.item()  # NumPy would convert limits to its type, with a warning for float16
    low, high = _LIMITS[dtype.char]
    if low <= cval <= high or (dtype.kind == "f" and (cval != cval or abs(cval) == math.inf)):
        sample = dtype.type(cval)
        if sample.item() == cval or cval != cval:
            return sample
    return None


def _stand_in(dtype: Any, cval: float, least: bool) -> Tuple[Any, Any]:
    """The integer that takes the place of a constant which the type cannot hold, and in which windows beyond an end the
    constant is the extreme: in all, in none, or (None) where the integer is."""
    low, high = _LIMITS[dtype.char]
    if cval != cval or (cval < low if least else cval > high):
        return dtype.type(low), True
    if cval < low or cval > high:
        return dtype.type(high if least else low), False
    return dtype.type(math.ceil(cval) if least else math.floor(cval)), None


def _put_constant(
    results: Any, output: Any, axis: int, before: int, after: int, stands_in: Any, cval: float, wins: Any
) -> None:
    n = results.shape[axis]
    for ends in (part(axis, 0, min(before, n)), part(axis, max(0, n - after), n)):
        where = results[ends] == stands_in if wins is None else wins
        numpy.copyto(output[ends], numpy.float64(cval), casting="unsafe", where=where)


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
    dtype = x.dtype
    if output is not None:
        output = _output(output, x)
    if dtype.char not in _LIMITS or (output is not None and output.dtype.kind == "c"):
        _core.check(x)
        raise TypeError("Complex type not supported")
    if not type(size) is type(axis) is type(origin) is int:
        size, axis, origin = to_index(size, "size"), to_index(axis, "axis"), to_index(origin, "origin")
    if axis < 0 or axis >= x.ndim:
        axis = check_axis(axis, x.ndim)
    before = size // 2 + origin
    after = size - 1 - before
    if before < 0 or after < 0:
        raise ValueError("incorrect filter size" if size < 1 else "invalid origin")
    try:
        mode = _MODES[mode]
    except (KeyError, TypeError):
        raise ValueError("boundary mode not supported") from None
    if type(cval) is not float and not hasattr(cval, "__float__"):
        raise TypeError(f"cval must be a number, not {type(cval).__name__}")
    constant, wins = 0.0, False
    if mode == "constant":
        constant = cval if type(cval) is float and dtype.char == "d" else _sample(dtype, cval)
        if constant is None:
            output = _output(output, x)
            if dtype.kind in "iu" and dtype.itemsize == 8:
                constant, wins = _stand_in(dtype, float(cval), function is _core.minimum)
            else:
                x, constant = x.astype("f8"), float(cval)
    if output is None:
        return _run(function, x, axis, before, after, mode, constant, None)
    in_place = output.dtype == x.dtype and not numpy.may_share_memory(x, output)
    results = _run(function, x, axis, before, after, mode, constant, output if in_place else None)
    with numpy.errstate(invalid="ignore", over="ignore"):
        if not in_place:
            numpy.copyto(output, results, casting="unsafe")
        if wins is not False:
            _put_constant(results, output, axis, before, after, constant, cval, wins)
    return output


class _Filter1d(Protocol):
    """An array of NumPy of the same type, unless output says another one."""

    @overload
    def __call__(
        self, input: "_Numpy", size: int, axis: int = ..., output: "Optional[_Numpy]" = ..., mode: _Mode = ...,
        cval: Any = ..., origin: int = ...
    ) -> "_Numpy": ...  # fmt: skip
    @overload
    def __call__(
        self, input: "_core._Readable", size: int, axis: int = ..., output: Any = ..., mode: _Mode = ..., cval: Any = ...,
        origin: int = ...
    ) -> "numpy.ndarray[Any, Any]": ...  # fmt: skip


def _name(function: Callable[..., Any], text: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with the name and the docstring of `text`."""
    function.__name__ = function.__qualname__ = text.__name__
    function.__doc__ = text.__doc__
    return function


def _along(function: Callable[..., Any]) -> Callable[[Callable[[], None]], _Filter1d]:
    """The filter of a function along one axis."""

    def named(text: Callable[[], None]) -> _Filter1d:
        def filter1d(
            input: Any, size: int, axis: int = -1, output: Any = None, mode: _Mode = "reflect", cval: Any = 0.0, origin: int = 0
        ) -> Any:
            return _filter1d(function, input, size, axis, output, mode, cval, origin)

        return _name(filter1d, text)

    return named


@_along(_core.minimum)
def minimum_filter1d() -> None:
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


@_along(_core.maximum)
def maximum_filter1d() -> None:
    """Running maximum, as scipy.ndimage.maximum_filter1d. The parameters are those of minimum_filter1d().

    Examples
    --------
    >>> from gpuenv.scipy import maximum_filter1d
    >>> maximum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=2, mode='wrap')
    array([2, 8, 8, 4, 4, 9, 9, 9])
    """


# ---- along several axes


def _box(input: Any, axes: Any, size: Any, footprint: Any, structure: Any) -> Any:
    """The lengths of a window without weights."""
    if size is not None and footprint is not None:
        warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=3)
    for name, value in (("structure", structure), ("footprint", footprint)):
        if value is not None:
            array = numpy.asarray(value)
            axes_count = numpy.ndim(input) if axes is None else numpy.size(axes)
            if array.ndim != axes_count or array.size == 0:
                raise ValueError(f"{name} must have a length of 1 or more along each of {axes_count} axes")
            if array.any() if name == "structure" else not array.astype(bool).all():
                raise ValueError(f"{name} must be a box without weights, such as size= makes")
            size = array.shape
    if size is None:
        raise ValueError("size, footprint, or structure must be specified")
    return size


def _is_elsewhere(x: Any) -> bool:
    """Is x an array that NumPy cannot read?"""
    return is_foreign(x) and x.__dlpack_device__()[0] in (2, 13)  # CUDA, managed


def _centered(size: Any, dimensions: int, mirrored: bool) -> List[Tuple[int, int, str]]:
    """The jobs of a window without an origin; none where the size is another, or none at all."""
    sizes = (size,) * dimensions if type(size) is int else size
    if type(sizes) is not tuple or len(sizes) != dimensions:
        return []
    for length in sizes:
        if type(length) is not int or length < 1 or (mirrored and length % 2 == 0):
            return []
    return [(axis, length, "center") for axis, length in enumerate(sizes) if length > 1]


def _filter(
    function: Any, input: Any, size: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any, *, mirrored: bool = False
) -> Any:
    """By a pass along each axis, the last one into output."""
    plainly = type(input) is numpy.ndarray
    if plainly and input.ndim == 1 and axes is None and type(size) is type(origin) is int and type(mode) is str and size > 1:
        return _filter1d(function, input, size, 0, output, mode, cval, size % 2 - 1 - origin if mirrored else origin)
    if plainly and type(origin) is int and origin == 0 and axes is None and output is None and type(cval) in (int, float):
        if type(mode) is str and mode in ("reflect", "nearest") and input.dtype.kind in "biuf":
            centered = _centered(size, input.ndim, mirrored)
            if centered:
                return box(function, input, centered, None, {})
    elsewhere = _is_elsewhere(input)
    x = input if elsewhere or plainly else to_numpy(input)
    found = list(range(len(x.shape))) if axes is None else find_axes(axes, len(x.shape))
    sizes = [to_index(one, "size") for one in per_axis(size, len(found), "size")]
    origins = [to_index(one, "origin") for one in per_axis(origin, len(found), "origin")]
    modes = per_axis(mode, len(found), "mode")
    if mirrored:
        origins = [-one - (1 - length % 2) for one, length in zip(origins, sizes)]
    if min(sizes, default=1) < 1:
        raise ValueError("incorrect filter size")
    jobs = [job for job in zip(found, sizes, modes, origins) if job[1] > 1] or [(0, 1, "reflect", 0)]
    aligns = [_align(_MODES.get(str(one), ""), length // 2 + at, length) for _, length, one, at in jobs]
    boxes: Any = [(axis, length, align) for (axis, length, *_), align in zip(jobs, aligns)]
    plain = None not in aligns
    if elsewhere:
        if not plain:
            raise ValueError("on a device mode must be 'reflect' without an origin, or 'nearest': copy the array to main memory")
        return box(function, x, boxes, output, {})
    if x.ndim == 0:
        raise ValueError("input must have a dimension")
    between = None
    if output is not None:
        output = _output(output, x)
        between = output.dtype
    if plain and x.dtype.kind in "biuf" and between in (None, x.dtype) and isinstance(cval, (int, float)):
        x = box(function, x, boxes, output, {})
    else:
        for i, (axis, length, one, at) in enumerate(jobs):
            x = _filter1d(function, x, length, axis, output if i + 1 == len(jobs) else between, one, cval, at)
    return give_back(input, x) if is_foreign(input) and output is None else x


def _readable(x: Any) -> Any:
    return x if type(x) is numpy.ndarray or is_foreign(x) else to_numpy(x)


def _is_bool(dtype: Any) -> bool:
    return dtype.kind == "b" if isinstance(dtype, numpy.dtype) else str(dtype).endswith("bool")


def _less(one: Any, other: Any, to: Any, xor: bool = True) -> Any:
    """A difference, of bool where they differ; in an array, where there is one."""
    xor = xor and _is_bool(one.dtype) and _is_bool(other.dtype)
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
_Origins = Union[int, Sequence[int]]


class _Filter(Protocol):
    """An array comes back in its own library; lists, and results of another type, are arrays of NumPy."""

    @overload
    def __call__(
        self, input: "_Array", size: _Sizes = ..., footprint: Any = ..., output: "Optional[_Array]" = ..., mode: _Modes = ...,
        cval: Any = ..., origin: _Origins = ..., *, axes: _Axes = ...
    ) -> "_Array": ...  # fmt: skip
    @overload
    def __call__(
        self, input: "_core._Readable", size: _Sizes = ..., footprint: Any = ..., output: Any = ..., mode: _Modes = ...,
        cval: Any = ..., origin: _Origins = ..., *, axes: _Axes = ...
    ) -> "numpy.ndarray[Any, Any]": ...  # fmt: skip


class _Morphology(Protocol):
    """A filter with a structure."""

    @overload
    def __call__(
        self, input: "_Array", size: _Sizes = ..., footprint: Any = ..., structure: Any = ...,
        output: "Optional[_Array]" = ..., mode: _Modes = ..., cval: Any = ..., origin: _Origins = ..., *, axes: _Axes = ...
    ) -> "_Array": ...  # fmt: skip
    @overload
    def __call__(
        self, input: "_core._Readable", size: _Sizes = ..., footprint: Any = ..., structure: Any = ...,
        output: Any = ..., mode: _Modes = ..., cval: Any = ..., origin: _Origins = ..., *, axes: _Axes = ...
    ) -> "numpy.ndarray[Any, Any]": ...  # fmt: skip


def _boxes(function: Callable[..., Any]) -> Callable[[Callable[[], None]], _Filter]:
    """The filter of a function along several axes."""

    def named(text: Callable[[], None]) -> _Filter:
        def filter(
            input: Any, size: _Sizes = None, footprint: Any = None, output: Any = None, mode: _Modes = "reflect",
            cval: Any = 0.0, origin: _Origins = 0, *, axes: _Axes = None
        ) -> Any:  # fmt: skip
            return _filter(function, input, _box(input, axes, size, footprint, None), output, mode, cval, origin, axes)

        return _name(filter, text)

    return named


@_boxes(_core.minimum)
def minimum_filter() -> None:
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


@_boxes(_core.maximum)
def maximum_filter() -> None:
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


class _Steps:
    """Erosions and dilations with the arguments of one call."""

    def __init__(self, input: Any, size: Any, output: Any, *others: Any):
        self.input, self.output = input, output
        self._size, self._others = size, others

    def erode(self, x: Any, output: Any = None) -> Any:
        return _filter(_core.minimum, x, self._size, output, *self._others)

    def dilate(self, x: Any, output: Any = None) -> Any:
        return _filter(_core.maximum, x, self._size, output, *self._others, mirrored=True)


def _of_steps(compute: Callable[[_Steps], Any]) -> _Morphology:
    """The function with the arguments of grey morphology and the name and text of `compute`."""

    def function(
        input: Any,
        size: _Sizes = None,
        footprint: Any = None,
        structure: Any = None,
        output: Any = None,
        mode: _Modes = "reflect",
        cval: Any = 0.0,
        origin: _Origins = 0,
        *,
        axes: _Axes = None,
    ) -> Any:
        return compute(_Steps(input, _box(input, axes, size, footprint, structure), output, mode, cval, origin, axes))

    return _name(function, compute)


@_of_steps
def grey_erosion(steps: _Steps) -> Any:
    """Erosion, as scipy.ndimage.grey_erosion: the minimum of boxes. The parameters are those of
    minimum_filter(); structure may be zeros, whose shape is the size.
    """
    return steps.erode(steps.input, steps.output)


@_of_steps
def grey_dilation(steps: _Steps) -> Any:
    """Dilation, as scipy.ndimage.grey_dilation: the maximum of boxes, mirrored. The parameters are those of grey_erosion()."""
    return steps.dilate(steps.input, steps.output)


@_of_steps
def grey_opening(steps: _Steps) -> Any:
    """Erosion, then dilation, as scipy.ndimage.grey_opening. The parameters are those of grey_erosion()."""
    return steps.dilate(steps.erode(steps.input), steps.output)


@_of_steps
def grey_closing(steps: _Steps) -> Any:
    """Dilation, then erosion, as scipy.ndimage.grey_closing. The parameters are those of grey_erosion()."""
    return steps.erode(steps.dilate(steps.input), steps.output)


@_of_steps
def white_tophat(steps: _Steps) -> Any:
    """What an opening takes away, as scipy.ndimage.white_tophat. The parameters are those of grey_erosion()."""
    x = _readable(steps.input)
    opened = steps.dilate(steps.erode(x), steps.output)
    return _less(x, opened, None if steps.output is None else opened)


@_of_steps
def black_tophat(steps: _Steps) -> Any:
    """What a closing adds, as scipy.ndimage.black_tophat. The parameters are those of grey_erosion()."""
    x = _readable(steps.input)
    closed = steps.erode(steps.dilate(x), steps.output)
    return _less(closed, x, None if steps.output is None else closed)


@_of_steps
def morphological_gradient(steps: _Steps) -> Any:
    """Dilation minus erosion, as scipy.ndimage.morphological_gradient. The parameters are those of grey_erosion()."""
    x = _readable(steps.input)
    to = steps.output if isinstance(steps.output, numpy.ndarray) or is_foreign(steps.output) else None
    return _less(steps.dilate(x), steps.erode(x, to), to, xor=False)
