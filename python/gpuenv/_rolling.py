"""Series and frames of pandas."""

from typing import Any, Callable, Optional, TypeVar

import numpy

from . import _core
from ._arrays import to_index
from ._counted import counted

_Frame = TypeVar("_Frame")


def _values(data: Any) -> Any:
    """The numbers of a series or frame; what is missing is NaN."""
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    for dtype in [data.dtype] if data.ndim == 1 else data.dtypes:
        if not is_numeric_dtype(dtype) or is_complex_dtype(dtype):
            raise TypeError(f"no numeric type to aggregate: {dtype}")
    values = data.to_numpy()
    if values.dtype.kind in "biuf" and values.dtype != "g":
        return values
    return data.to_numpy("f8", na_value=numpy.nan)


def _rolling(function: Callable[..., Any], data: Any, w: int, min_periods: Optional[int]) -> Any:
    import pandas

    if not isinstance(data, (pandas.Series, pandas.DataFrame)):
        raise TypeError(f"a Series or a DataFrame is needed, not {type(data).__name__}")
    w = to_index(w, "w")
    need = w if min_periods is None else to_index(min_periods, "min_periods")
    if w < 1:
        raise ValueError("w must be 1 or more")
    if need < 0:
        raise ValueError("min_periods must be >= 0")
    if need > w:
        raise ValueError(f"min_periods {need} must be <= w {w}")
    results = counted(function, _values(data), w, need, 0).astype("f8", copy=False)
    if data.ndim == 1:
        return pandas.Series(results, index=data.index, name=data.name)
    return pandas.DataFrame(results, index=data.index, columns=data.columns)


def rolling_min(series: _Frame, w: int, min_periods: Optional[int] = None) -> _Frame:
    """series.rolling(w, min_periods).min() for a Series, or each column of a DataFrame.

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


def rolling_max(series: _Frame, w: int, min_periods: Optional[int] = None) -> _Frame:
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
