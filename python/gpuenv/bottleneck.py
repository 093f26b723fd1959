# SPDX-License-Identifier: MIT
"""move_min, move_max, move_argmin and move_argmax with the arguments of bottleneck, and the same results.

>>> import numpy
>>> from gpuenv.bottleneck import move_max
>>> move_max(numpy.array([1., 3., numpy.nan, 2.]), window=2, min_count=1)
array([1., 3., 3., 2.])
"""

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Protocol, Tuple, TypeVar, Union, overload

import numpy

from . import _core
from ._arrays import to_index, to_numpy

_Array = numpy.ndarray[Any, Any]
_Function = Callable[..., _Array]

if TYPE_CHECKING:
    _Float = TypeVar("_Float", bound=numpy.floating[Any])

__all__ = ["move_argmax", "move_argmin", "move_max", "move_min"]


def _take(a: Any, window: Any, min_count: Any, axis: Any) -> Tuple[_Array, int, _Array]:
    """The array, the least number of samples and room for results; raises what bottleneck raises."""
    x = a if type(a) is numpy.ndarray else to_numpy(a)
    window = to_index(window, "window")
    axis = to_index(axis, "axis")
    need = window if min_count is None else to_index(min_count, "min_count")
    if x.ndim == 0:
        raise ValueError("moving window functions require ndim > 0")
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis(={axis}) out of bounds")
    if need > window:
        raise ValueError(f"min_count ({need}) cannot be greater than window ({window})")
    if need <= 0 and min_count is not None:
        raise ValueError("`min_count` must be greater than zero.")
    if not 1 <= window <= x.shape[axis]:
        raise ValueError(f"Moving window (={window}) must between 1 and {x.shape[axis]}, inclusive")
    if x.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    return x, need, numpy.empty_like(x, x.dtype if x.dtype.kind == "f" else "f8", order="A")


def _move(function: _Function, a: Any, window: Any, min_count: Any, axis: Any) -> _Array:
    x, need, out = _take(a, window, min_count, axis)
    return function(x, window, axis=axis, align="causal", min_count=need, out=out)


def _move_at(function: _Function, a: Any, window: Any, min_count: Any, axis: Any, nan: float) -> _Array:
    """Positions from the right. Where other samples are enough, a NaN is the number `nan`; -0 is equal to +0."""
    x, need, out = _take(a, window, min_count, axis)
    floats = x.dtype.kind == "f"
    if floats:
        x = x + 0.0
    at = function(x, window, axis=axis, align="causal", min_count=need, last=True)
    ends = numpy.arange(x.shape[axis]).reshape(-1, *[1] * ((-1 - axis) % x.ndim))
    out[...] = numpy.where(at >= 0, ends - at, numpy.nan)
    if floats:
        # In windows of nothing but `nan` and NaN the last sample counts.
        out[(at >= 0) & (numpy.take_along_axis(x, numpy.maximum(at, 0), axis) == nan)] = 0
    return out


class _Move(Protocol):
    """Floats keep their type, and others give float64."""

    @overload
    def __call__(
        self, a: "numpy.ndarray[Any, numpy.dtype[_Float]]", window: int, min_count: Optional[int] = ..., axis: int = ...
    ) -> "numpy.ndarray[Any, numpy.dtype[_Float]]": ...
    @overload
    def __call__(
        self, a: "numpy.ndarray[Any, numpy.dtype[Union[numpy.bool_, numpy.integer[Any]]]]", window: int,
        min_count: Optional[int] = ..., axis: int = ...
    ) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]": ...  # fmt: skip
    @overload
    def __call__(
        self, a: "_core._Readable", window: int, min_count: Optional[int] = ..., axis: int = ...
    ) -> "numpy.ndarray[Any, numpy.dtype[numpy.floating[Any]]]": ...


_in_python: Dict[str, _Function] = {}


def adapt(name: str, named: Any) -> _Array:
    return _in_python[name](**named)


def _as_move(function: _Function) -> _Move:
    """The function of the extension module, which calls this one where it has to, by adapt()."""
    _in_python[function.__name__] = function
    move: _Move = getattr(_core, function.__name__)
    return move


@_as_move
def move_min(a: Any, window: int, min_count: Optional[int] = None, axis: int = -1) -> _Array:
    """Running minimum, as bottleneck.move_min.

    Parameters
    ----------
    a : array
    window : int
        Result k is of the samples k-window+1 .. k that are not NaN.
    min_count : int, optional
        The result is NaN if they are fewer. None: window.
    axis : int

    Returns
    -------
    array
        Of NumPy. Integers give float64.

    Examples
    --------
    >>> from gpuenv.bottleneck import move_min
    >>> move_min([3, 1, 2, 4], window=2)
    array([nan,  1.,  1.,  2.])
    """
    return _move(_core.minimum, a, window, min_count, axis)


@_as_move
def move_max(a: Any, window: int, min_count: Optional[int] = None, axis: int = -1) -> _Array:
    """Running maximum, as bottleneck.move_max. The parameters are those of move_min().

    Examples
    --------
    >>> from gpuenv.bottleneck import move_max
    >>> move_max([3, 1, 2, 4], window=2, min_count=1)
    array([3., 3., 2., 4.])
    """
    return _move(_core.maximum, a, window, min_count, axis)


@_as_move
def move_argmin(a: Any, window: int, min_count: Optional[int] = None, axis: int = -1) -> _Array:
    """Where the running minimum is, as bottleneck.move_argmin: how far from the right end of the window.

    Of equal samples the last one. The parameters are those of move_min().

    Examples
    --------
    >>> from gpuenv.bottleneck import move_argmin
    >>> move_argmin([3, 1, 2, 4], window=2)
    array([nan,  0.,  1.,  1.])
    """
    return _move_at(_core.argmin, a, window, min_count, axis, numpy.inf)


@_as_move
def move_argmax(a: Any, window: int, min_count: Optional[int] = None, axis: int = -1) -> _Array:
    """Where the running maximum is, as bottleneck.move_argmax. All else is as in move_argmin().

    Examples
    --------
    >>> from gpuenv.bottleneck import move_argmax
    >>> move_argmax([3, 1, 2, 4], window=3, min_count=1)
    array([0., 1., 2., 0.])
    """
    return _move_at(_core.argmax, a, window, min_count, axis, -numpy.inf)
