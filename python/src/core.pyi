# SPDX-License-Identifier: MIT
"""The extension module: what stub.py makes its stub and its docstrings of."""

import ctypes
import datetime
from typing import Any, Literal, Optional, Protocol, Sequence, SupportsIndex, Tuple, TypeVar, Union, final, overload

import numpy
import numpy.typing

__version__: str

_Out = Union[Tuple[Any, Any], Sequence[Any], None]  # of functions that give a pair
_Align = Literal["valid", "causal", "center", "forward"]
_Edge = Literal["shrink", "nan"]
_Nan = Literal["propagate", "omit", "error"]
_Closed = Literal["right", "both", "left", "neither"]

class _OfCuPy(Protocol):
    @property
    def ptr(self) -> int: ...

class _OfPyTorch(Protocol):
    @property
    def cuda_stream(self) -> int: ...

class _OfCuda(Protocol):
    def __cuda_stream__(self) -> Tuple[int, int]: ...

# With times: a length of time.
_Length = Union[SupportsIndex, str, datetime.timedelta, "numpy.timedelta64"]
_Width = Union[_Length, float, Tuple[SupportsIndex, ...]]
_Axes = Union[SupportsIndex, Sequence[SupportsIndex], None]
_Stream = Union[SupportsIndex, _OfCuPy, _OfPyTorch, _OfCuda, None]

# Libraries whose arrays come back as such, by what they alone have.
class _DLPack(Protocol):
    @property
    def __dlpack_device__(self) -> Any: ...

class _Pandas(Protocol):
    @property
    def iloc(self) -> Any: ...

class _Polars(Protocol):
    @property
    def n_chunks(self) -> Any: ...

class _Xarray(Protocol):
    @property
    def isel(self) -> Any: ...

_Numpy = numpy.ndarray[Any, Any]
_Convertible = Union[numpy.typing.ArrayLike, Sequence[Any], memoryview, "ctypes.Array[Any]"]
_Readable = Union[_Convertible, _Pandas, _Polars, _Xarray]
_Positions = numpy.ndarray[Any, numpy.dtype[numpy.int64]]
_Extreme = Literal["min", "max"]
_Mean = Literal["mean", "rms", "std", "first", "last"]
_Number = Literal["count", "argmin", "argmax"]
_One = Literal[_Extreme, "abs", "absmax", "range", "ptp", "mid", _Mean, _Number]
_Wide = TypeVar("_Wide", numpy.float32, numpy.float64)
_Floating = TypeVar("_Floating", bound=numpy.floating[Any])
_Kept = TypeVar("_Kept", bound=Union[numpy.bool_, numpy.integer[Any], numpy.floating[Any], numpy.datetime64, numpy.timedelta64])
_Array = TypeVar("_Array", bound=Union[_DLPack, _Pandas, _Polars, _Xarray])

def _WINDOW(
    axis: Optional[SupportsIndex] = None, align: _Align = "valid", edge: _Edge = "shrink", hop: SupportsIndex = 1,
    nan: Optional[_Nan] = None, min_count: Optional[SupportsIndex] = None, out: Any = None,
    threads: Optional[SupportsIndex] = None, stream: _Stream = None, times: Any = None, closed: _Closed = "right",
) -> None: ...

def minmax(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> Tuple[_X, _X]:
    """Running minimum and maximum.

    Parameters
    ----------
    x : array
        Of NumPy, CuPy, PyTorch, pandas, polars, xarray, or any other library with DLPack,
        buffers or the CUDA array interface. Complex numbers count as their magnitudes. NaT of
        dates is missing, and so is what is masked.
    w : int
        The length of the window; with `times`, of time: a timedelta, a string ('5min', '7D'),
        or a number; with `axes`, a tuple of a length for each of them, or one for all.
    axis : int, optional
        The axis to filter along: the last one; of a DataFrame the first, its index.
    align : {'valid', 'causal', 'center', 'forward'}
        Where the window of result k is: 'valid' (k .. k+w-1, whole windows only), 'causal'
        (k-w+1 .. k), 'center' (k-w//2 .. k+(w+1)//2-1), 'forward' (k .. k+w-1).
    edge : {'shrink', 'nan'}
        What windows that are cut by an end give: the extremes of what is there, or NaN;
        integers become floats then.
    hop : int
        Keep the results 0, hop, 2*hop, ...
    nan : {'propagate', 'omit', 'error'}, optional
        A window with a NaN gives NaN, a NaN is ignored, or is a ValueError. None: 'propagate',
        or with min_count 'omit'.
    min_count : int, optional
        A window with fewer samples that are not NaN gives NaN; integers become floats then.
    out : pair of arrays, optional
        For the results. They may overlap x.
    threads : int, optional
        The most threads to use. None: all CPUs.
    stream : optional
        For arrays on a CUDA device: a stream of CuPy or PyTorch, or its address; None: the
        library's current stream. Kernels are enqueued, and the call returns.
    times : array, optional
        The times of the samples, in order: dates, datetime64, timedelta64 or numbers (of floats
        0.1 * 3 counts as 0.3). There is a result for each; its window has what came before it in
        (t-w, t] (align='causal', the default), or what lies in (t-w/2, t+w/2] ('center'). hop and
        edge stay at their defaults.
    closed : {'right', 'both', 'left', 'neither'}
        The ends that belong to a window of time. A causal window that is open on the right
        ends before its sample.
    axes : sequence of int, optional
        The window is a box along these axes, in place of `axis`. The other arguments are the same
        for all of them.

    Returns
    -------
    lo, hi : arrays
        Of the library and the type of x. Those of a Series, a DataFrame or an array of xarray
        are one; result k has the label of row k*hop.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])
    >>> lo, hi = gpuenv.minmax(x, 3)
    >>> lo
    array([1, 1, 1, 1, 2, 2])
    >>> hi
    array([4, 4, 5, 9, 9, 9])
    >>> gpuenv.minmax(x, 3, align='causal')[1]
    array([3, 3, 4, 4, 5, 9, 9, 9])
    >>> gpuenv.minmax(x, 10, times=[0, 1, 5, 10, 30, 31, 39, 60])[1]
    array([3, 3, 4, 4, 5, 9, 9, 6])
    """
def minimum(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> _X:
    """Running minimum.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array.

    Returns
    -------
    array
        Of the library and the type of x.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> gpuenv.minimum(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3)
    array([1, 1, 1, 1, 2, 2])
    """
def maximum(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> _X:
    """Running maximum.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array.

    Returns
    -------
    array
        Of the library and the type of x.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> x = numpy.array([[3., 1., 4., 1.], [5., 9., 2., 6.]])
    >>> gpuenv.maximum(x, 3)
    array([[4., 4.],
           [9., 9.]])
    >>> gpuenv.maximum(x, 2, axis=0)
    array([[5., 9., 4., 6.]])
    >>> gpuenv.maximum(x, (2, 3), axes=(0, 1))
    array([[9., 9.]])
    """
def absmax(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> _X:
    """Running maximum of magnitudes, as the envelope of a sound.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array.

    Returns
    -------
    array
        Of the library of x. Of integers float32, or float64 where float32 does not hold them.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> gpuenv.absmax(numpy.array([1., -3., 2., 0.5]), 2)
    array([3., 3., 2.])
    """
def ptp(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> _X:
    """Running peak to peak: maximum - minimum.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array.

    Returns
    -------
    array
        Of the library of x. Of integers float32, or float64 where float32 does not hold them.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> gpuenv.ptp(numpy.array([1., -3., 2., 0.5]), 2)
    array([4. , 5. , 1.5])
    """
def mid(x: _X, w: _Width, *, _WINDOW: Any, axes: _Axes = None) -> _X:
    """Running (minimum + maximum) / 2.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array.

    Returns
    -------
    array
        Of the library of x. Of integers float32, or float64 where float32 does not hold them.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> gpuenv.mid(numpy.array([1., -3., 2., 0.5]), 2)
    array([-1.  , -0.5 ,  1.25])
    """
def argmin(x: _X, w: _Width, *, _WINDOW: Any, last: bool = False) -> _X:
    """Where the running minimum is: the position of the minimum of each window.

    Parameters
    ----------
    x, w, ...
        Those of minmax(); out is one array, of int64. Arrays on a device are refused.
    last : bool
        Of equal samples the last one, not the first. -0 is less than +0.

    Returns
    -------
    array
        int64, positions along the axis, counted from the start of x; -1 where the minimum is NaN.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])
    >>> gpuenv.argmin(x, 3)
    array([1, 1, 3, 3, 6, 6])
    >>> gpuenv.argmin(x, 4, last=True)
    array([3, 3, 3, 3, 6])
    """
def argmax(x: _X, w: _Width, *, _WINDOW: Any, last: bool = False) -> _X:
    """Where the running maximum is: the position of the maximum of each window.

    Parameters
    ----------
    x, w, ...
        Those of argmin().

    Returns
    -------
    array
        int64, positions along the axis, counted from the start of x; -1 where the maximum is NaN.

    Examples
    --------
    A peak is a sample that is the maximum of the window around it.

    >>> import numpy, gpuenv
    >>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])
    >>> at = gpuenv.argmax(x, 3, align='center')
    >>> at
    array([0, 2, 2, 4, 5, 5, 5, 7])
    >>> numpy.flatnonzero(at == numpy.arange(len(x)))
    array([0, 2, 5, 7])
    """
def zoom(
    x: _X, n: _Length, *, emit: Union[str, Sequence[str]] = "min,max", axis: Optional[SupportsIndex] = None,
    nan: Optional[_Nan] = None, out: Any = None, threads: Optional[SupportsIndex] = None, stream: _Stream = None,
) -> Tuple[_X, _X]:
    """Minimum and maximum of each n samples, as in the overview of a waveform.

    Parameters
    ----------
    x : array
        As for minmax().
    n : int or length of time
        The samples of a result. The last ones may be fewer. Of a Series or DataFrame whose index
        has times: '10min', '1h', '1d', a timedelta; '1w', '1mo', '3mo' or '1y' of the calendar.
        Results are of windows of the clock, as of pandas' resample(), each with the time that it
        begins at; nan is 'omit' unless it is given. docs/python.md says more.
    emit : str or sequence of str
        Other values, up to five, in the order of the results: min, max, abs, range (or absmax,
        ptp, as the functions), mid, mean, rms (both float64, with the bits of stats()), std (of
        n - 1), first and last (float64, too), count (of samples that are no NaN), argmin and
        argmax (int64, as those functions).
    axis, nan, out, threads, stream
        Those of minmax().

    Returns
    -------
    lo, hi : arrays
        Or those that emit names; a single name gives a single array.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> gpuenv.zoom(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3)
    (array([1, 1, 2]), array([4, 9, 6]))
    >>> gpuenv.zoom(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3, emit='mean,count')
    (array([2.66666667, 5.        , 4.        ]), array([3, 3, 2]))
    >>> gpuenv.zoom(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 4, emit='first,last,std')
    (array([3., 5.]), array([1., 6.]), array([1.5       , 2.88675135]))
    """
def check(x: Any, /) -> None: ...
def register(kind: type, always: bool, /) -> None: ...
def device_of(pointer: int, /) -> int: ...
def wait(device: int, stream: int, before: int, joins: bool, /) -> None: ...
def records(x: Any, axis: int, every: int, /) -> Any: ...
def boxes(x: Any, out: Any, height: int, width: int, align: int, omit: bool, largest: bool, threads: int, /) -> None: ...
def decimals(times: Any, /) -> Optional[_Numpy]: ...
def device_records(x: Any, axis: int, every: int, stream: Any, finish: Any, /) -> Any: ...

def stream(x: Any, w: SupportsIndex, **window: Any) -> "_OpenStream": ...

@final
class _OpenStream:
    def push(self, x: Any, /) -> Tuple[Any, Any]: ...
    def finish(self, room: int, /) -> Tuple[Any, Any]: ...
