# SPDX-License-Identifier: MIT
"""Series and frames of pandas."""

from typing import Any, Callable, Literal, Optional, Tuple, TypeVar

import numpy

from . import _core
from ._arrays import like, to_index
from ._times import read_times

_Frame = TypeVar("_Frame")
_Closed = Optional[Literal["right", "both", "left", "neither"]]


def column_of(column: Any) -> Any:
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
        return column_of(data)
    values = data.to_numpy()
    if values.dtype.kind in "biuf" and values.dtype != "g":
        return values
    columns = [column_of(data.iloc[:, i]) for i in range(data.shape[1])]
    return numpy.stack(columns, 1) if columns else numpy.empty(data.shape)


def _of_rows(function: Callable[..., Any], values: Any, before: int, after: int, need: int) -> Any:
    """Over the rows k-before .. k+after of each row k; `after` may be -1."""
    n = len(values)
    before, after = min(before, n), min(after, n)
    w = before + after + 1
    results: Any = numpy.full(values.shape, numpy.nan)
    if not 0 < w or need > w or values.size == 0:
        return results
    if after < 0:
        function(values[:-1], w, axis=0, align="causal", min_count=need, out=results[1:])
    elif after == 0 or before == w // 2:
        function(values, w, axis=0, align="center" if after else "causal", min_count=need, out=results)
    else:
        beyond = numpy.full((after, *values.shape[1:]), numpy.nan)
        longer = numpy.concatenate([values.astype("f8", copy=False), beyond])
        results = function(longer, w, axis=0, align="causal", min_count=need)[after:]
    return results


def _need(min_periods: Optional[int], default: int, w: Optional[int]) -> int:
    need = default if min_periods is None else to_index(min_periods, "min_periods")
    if need < 0:
        raise ValueError("min_periods must be >= 0")
    if w is not None and need > w:
        raise ValueError(f"min_periods {need} must be <= window {w}")
    return max(need, 1)


def _of_time(function: Callable[..., Any], values: Any, index: Any, w: Any, need: int, align: str, closed: str) -> Any:
    """Over windows of time."""
    from pandas.tseries.frequencies import to_offset

    if len(values) == 0:
        return values.astype("f8")
    if hasattr(index, "to_timestamp"):  # of periods
        index = index.to_timestamp()
    if index.dtype.kind not in "mM":
        raise TypeError(f"window is a length of time, and the index has no times: {index.dtype}")
    if index.hasnans:
        raise ValueError("index has NaT")
    times, width = read_times(index, numpy.timedelta64(to_offset(w).nanos, "ns"), len(values))
    if len(times) > 0 and times[-1] < times[0]:
        times = -times
    out = numpy.empty(values.shape)
    function(values, width, axis=0, times=times, align=align, closed=closed, min_count=need, out=out)
    return out


def _split(data: Any, on: Any) -> Tuple[Any, Any]:
    """What is filtered, and what windows of time go by."""
    if on is None:
        return data, data.index
    if hasattr(on, "dtype"):
        return data, on
    if data.ndim == 1 or on not in data.columns:
        raise ValueError(f"on must be a column of a DataFrame, or an index, not {on!r}")
    from pandas import Index

    return data.drop(columns=[on]), Index(data[on])


def _rolling(
    function: Callable[..., Any], data: Any, w: Any, min_periods: Any, center: bool, closed: Any, step: Any, on: Any
) -> Any:
    if not (hasattr(data, "index") and hasattr(data, "_constructor")):
        raise TypeError(f"the data must be a Series or DataFrame of pandas, not {type(data).__name__}")
    if closed not in (None, "right", "both", "left", "neither"):
        raise ValueError(f"closed must be right, both, left or neither, not {closed!r}")
    step = 1 if step is None else to_index(step, "step")
    if step < 1:
        raise ValueError("step must be 1 or more")
    filtered, index = _split(data, on)
    values = _values(filtered)
    if hasattr(w, "__index__"):
        w = to_index(w, "window")
        if w < 0:
            raise ValueError("window must be 0 or more")
        before = (w // 2 if center else w - 1) + (closed in ("left", "both"))
        after = ((w - 1) // 2 if center else 0) - (closed in ("left", "neither"))
        results = _of_rows(function, values, before, after, _need(min_periods, w, w))
    else:
        align = "center" if center else "causal"
        results = _of_time(function, values, index, w, _need(min_periods, 1, None), align, closed or "right")
    given = like(filtered, results[::step].copy() if step > 1 else results, 0, step)
    if filtered is not data and not index.equals(data.index):
        place = list(data.columns).index(on)
        given.insert(place, on, data[on].iloc[::step])
    return given


def rolling_min(
    series: _Frame,
    window: Any,
    min_periods: Optional[int] = None,
    center: bool = False,
    *,
    closed: _Closed = None,
    step: Optional[int] = None,
    on: Any = None,
) -> _Frame:
    """The minimum of series.rolling(window, ...), of a Series or of each column of a DataFrame.

    Parameters
    ----------
    series : Series or DataFrame
    window : int or length of time
        A number of rows; or '5min', a timedelta, or an offset of pandas, where the index, or `on`, is of times.
    min_periods : int, optional
        A window with fewer values gives NaN. None: window, or 1 for windows of time.
    center : bool
        Windows have their row in the middle.
    closed : {'right', 'both', 'left', 'neither'}, optional
        The ends that belong to a window.
    step : int, optional
        Keep the rows 0, step, 2*step, ...
    on : column or index, optional
        The times, instead of the index.

    Returns
    -------
    Series or DataFrame
        float64, with the index. What is missing is NaN. Infinities are values, while pandas takes them for missing.

    Examples
    --------
    >>> import gpuenv, pandas
    >>> gpuenv.rolling_min(pandas.Series([3, 1, 2, 4], index=list('abcd')), 2)
    a    NaN
    b    1.0
    c    1.0
    d    2.0
    dtype: float64
    >>> sales = pandas.DataFrame({'shop': [1, 2, 1, 2], 'sum': [3, 1, 2, 4]})
    >>> sales.groupby('shop')['sum'].transform(gpuenv.rolling_min, 2, 1)
    0    3.0
    1    1.0
    2    2.0
    3    1.0
    Name: sum, dtype: float64
    """
    result: _Frame = _rolling(_core.minimum, series, window, min_periods, center, closed, step, on)
    return result


def rolling_max(
    series: _Frame,
    window: Any,
    min_periods: Optional[int] = None,
    center: bool = False,
    *,
    closed: _Closed = None,
    step: Optional[int] = None,
    on: Any = None,
) -> _Frame:
    """The maximum of series.rolling(window, ...). The parameters are those of rolling_min().

    Examples
    --------
    >>> import gpuenv, pandas
    >>> gpuenv.rolling_max(pandas.DataFrame({'x': [3, 1, 2], 'y': [1., None, 5.]}), 2, min_periods=1)
         x    y
    0  3.0  1.0
    1  3.0  1.0
    2  2.0  5.0
    """
    result: _Frame = _rolling(_core.maximum, series, window, min_periods, center, closed, step, on)
    return result
