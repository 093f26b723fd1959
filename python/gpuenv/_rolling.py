"""Series and frames of pandas."""

from typing import Any, Callable, Optional, TypeVar

import numpy

from . import _core
from ._arrays import like_frame, to_index
from ._counted import counted
from ._times import read

_Frame = TypeVar("_Frame")


def _column(column: Any) -> Any:
    """The numbers of a series; what is missing is NaN. Objects and categories count as the numbers that they are."""
    from pandas.api.types import is_complex_dtype, is_datetime64_any_dtype, is_numeric_dtype, is_timedelta64_dtype

    dtype = column.dtype
    if not (is_complex_dtype(dtype) or is_datetime64_any_dtype(dtype) or is_timedelta64_dtype(dtype)):
        values = column.to_numpy()
        if is_numeric_dtype(dtype) and values.dtype.kind in "biuf" and values.dtype != "g":
            return values
        try:
            return column.to_numpy("f8", na_value=numpy.nan)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"no numeric type to aggregate: {dtype}")


def _values(data: Any) -> Any:
    """The numbers of a series or frame."""
    if data.ndim == 1:
        return _column(data)
    values = data.to_numpy()
    if values.dtype.kind in "biuf" and values.dtype != "g":
        return values
    columns = [_column(data.iloc[:, i]) for i in range(data.shape[1])]
    return numpy.stack(columns, 1) if columns else numpy.empty(data.shape)


def _of_time(function: Callable[..., Any], data: Any, w: Any, min_periods: Optional[int]) -> Any:
    """Over windows of time."""
    need = 1 if min_periods is None else to_index(min_periods, "min_periods")
    if need < 0:
        raise ValueError("min_periods must be >= 0")
    if data.index.dtype.kind not in "mM":
        raise TypeError(f"w is a length of time, and the index has none: {data.index.dtype}")
    values = _values(data)
    times, width = read(data.index, w, len(data))
    results = function(values, width, axis=0, times=times, nan="omit").astype("f8", copy=False)
    if need > 1:
        there: Any = numpy.ones(values.shape, bool) if values.dtype.kind != "f" else ~numpy.isnan(values)
        count: Any = numpy.cumsum(there, axis=0)
        first: Any = numpy.searchsorted(times, times - width, "right")
        before: Any = numpy.where((first > 0).reshape(-1, *[1] * (values.ndim - 1)), count[first - 1], 0)
        results[count - before < need] = numpy.nan
    return results


def _rolling(function: Callable[..., Any], data: Any, w: Any, min_periods: Optional[int]) -> Any:
    import pandas

    if not isinstance(data, (pandas.Series, pandas.DataFrame)):
        raise TypeError(f"a Series or a DataFrame is needed, not {type(data).__name__}")
    results = _of_rows(function, data, w, min_periods) if hasattr(w, "__index__") else \
        _of_time(function, data, w, min_periods)
    return like_frame(data, results, 0, 1)


def _of_rows(function: Callable[..., Any], data: Any, w: Any, min_periods: Optional[int]) -> Any:
    w = to_index(w, "w")
    need = w if min_periods is None else to_index(min_periods, "min_periods")
    if w < 1:
        raise ValueError("w must be 1 or more")
    if need < 0:
        raise ValueError("min_periods must be >= 0")
    if need > w:
        raise ValueError(f"min_periods {need} must be <= w {w}")
    return counted(function, _values(data), w, need, 0).astype("f8", copy=False)


def rolling_min(series: _Frame, w: Any, min_periods: Optional[int] = None) -> _Frame:
    """series.rolling(w, min_periods).min() for a Series, or each column of a DataFrame. w is a number of rows, or a length
    of time ('5min', a timedelta) where the index is of times.

    Results are float64, and keep the index. What is missing is NaN. Infinities are values, while pandas takes them for
    missing.

    >>> import gpuenv, pandas
    >>> gpuenv.rolling_min(pandas.Series([3, 1, 2, 4], index=list('abcd')), 2)
    a    NaN
    b    1.0
    c    1.0
    d    2.0
    dtype: float64
    """
    result: _Frame = _rolling(_core.minimum, series, w, min_periods)
    return result


def rolling_max(series: _Frame, w: Any, min_periods: Optional[int] = None) -> _Frame:
    """series.rolling(w, min_periods).max(): see rolling_min().

    >>> import gpuenv, pandas
    >>> gpuenv.rolling_max(pandas.DataFrame({'x': [3, 1, 2], 'y': [1., None, 5.]}), 2, min_periods=1)
         x    y
    0  3.0  1.0
    1  3.0  1.0
    2  2.0  5.0
    """
    result: _Frame = _rolling(_core.maximum, series, w, min_periods)
    return result
