# SPDX-License-Identifier: MIT
"""Windows of the clock and the calendar, over series and frames of pandas: zoom(series, '1h')."""

from typing import Any, Dict, List

import numpy

from . import _core
from ._arrays import split_emit
from ._rolling import column_of
from ._times import length_of, read_times

_MONTHS = {"mo": 1, "1mo": 1, "3mo": 3, "y": 12, "1y": 12, "MS": 1, "QS": 3, "YS": 12}  # the last three are names of pandas
_SECOND = 10**9
_DAY = 86400 * _SECOND
_MONDAY = 4 * _DAY  # the first one of 1970
_EMPTY_MOST = 10**6  # windows in a row
_NONE = {"count": 0, "argmin": -1, "argmax": -1}  # what windows without rows have; others NaN


def _shown(moments: Any, zone: Any) -> Any:
    """What the clock shows at these moments. All times here are in nanoseconds; moments are in UTC."""
    from pandas import DatetimeIndex

    return moments if zone is None else DatetimeIndex(moments, tz="UTC").tz_convert(zone).tz_localize(None).asi8


def _spans(first: int, last: int, zone: Any) -> Any:
    """Since when the clock has the same offset from UTC, and these offsets. No zone changes it twice on a day."""
    days = numpy.arange(first // _DAY, last // _DAY + 2) * _DAY
    offsets = _shown(days, zone) - days
    at = numpy.flatnonzero(offsets[1:] != offsets[:-1])
    low, high, before = days[at], days[at + 1], offsets[at]
    while (high - low).max(initial=0) > _SECOND:
        middle = (low + high) // (2 * _SECOND) * _SECOND
        changed = _shown(middle, zone) - middle != before
        low, high = numpy.where(changed, low, middle), numpy.where(changed, middle, high)
    return numpy.append(days[0], high), offsets[numpy.append(0, at + 1)]


def _first(shown: Any, begins: Any, offsets: Any) -> Any:
    """When the clock first shows these times, or later ones where it skips them."""
    shown_before = numpy.append(begins[1:] + offsets[:-1], 2**63 - 1)
    span = numpy.searchsorted(numpy.maximum.accumulate(shown_before), shown, "right")
    return numpy.maximum(shown - offsets[span], begins[span])


def _short(length: int, end: int, begins: Any, offsets: Any) -> Any:
    """Borders of windows below a day: a change of the clock's offset is one, too."""
    spans = zip(begins, [*begins[1:], end], offsets)
    starts = [numpy.arange((at + offset) // length * length - offset, to, length).clip(at) for at, to, offset in spans]
    return numpy.concatenate(starts)


def _borders(moments: Any, n: Any, zone: Any) -> Any:
    """Where the windows begin, from that of the first row to that of the last one, and where this one ends."""
    first, last = int(moments[0]), int(moments[-1])
    text = n.strip() if isinstance(n, str) else ""
    word = text.lower()
    months = _MONTHS.get(text) or _MONTHS.get(word, 0)
    length = 366 * _DAY if months else length_of(n, "n")
    if not 1 <= length < 2**61:
        raise ValueError(f"n must be longer than 0, and shorter than 73 years, not {n!r}")
    if numpy.diff(moments).max(initial=0) // length > _EMPTY_MOST:
        raise ValueError(f"more than {_EMPTY_MOST} windows in a row would be empty")
    if word.endswith("w") and length != 7 * _DAY:
        raise ValueError(f"the weeks of the calendar are 1w: give days, not {n!r}")
    begins, offsets = _spans(first - length, last + length, zone)
    origin = _MONDAY if word.endswith("w") else 0
    shown = _shown(moments[[0, -1]], zone)
    if months:
        low, high = shown.view("M8[ns]").astype("M8[M]").astype("i8") // months
        firsts = (numpy.arange(low, high + 3) * months).astype("M8[M]").astype("M8[ns]").view("i8")
        borders = _first(firsts, begins, offsets)
    elif length < _DAY:
        borders = _short(length, last + length + 1, begins, offsets)
    else:
        low, high = (shown - origin) // length
        borders = _first(numpy.arange(low, high + 3) * length + origin, begins, offsets)
    borders = numpy.unique(borders)
    begin, end = numpy.searchsorted(borders, [first, last], "right")
    return borders[begin - 1 : end + 1]


def _reduce(values: Any, bounds: Any, emits: List[str], options: Dict[str, Any]) -> List[Any]:
    """What zoom() finds of the rows bounds[k] .. bounds[k + 1] - 1 for each k. Windows with as many rows are blocks of one
    array, one behind the other: so a call is enough for all of them."""

    def of_blocks(block: Any, rows: int) -> Any:
        found = _core.zoom(block, rows, emit=emits, **options)
        return found if len(emits) > 1 else (found,)

    lengths = numpy.diff(bounds)
    empty = bool((lengths == 0).any())
    results = []
    for emit, found in zip(emits, of_blocks(values[:0], 1)):
        is_kept = not empty or emit in _NONE or found.dtype.kind == "f"
        none = _NONE.get(emit, numpy.nan) if empty else 0
        results.append(numpy.full(len(lengths), none, found.dtype if is_kept else "f8"))
    order = numpy.argsort(lengths, kind="stable")
    for windows in numpy.split(order, numpy.flatnonzero(numpy.diff(lengths[order])) + 1):
        rows = int(lengths[windows[:1]].sum())
        if rows == 0:
            continue
        firsts = bounds[windows]
        if windows[-1] - windows[0] == len(windows) - 1:
            block = values[firsts[0] : firsts[-1] + rows]
        else:
            block = numpy.lib.stride_tricks.sliding_window_view(values, rows)[firsts].reshape(-1)
        for emit, result, found in zip(emits, results, of_blocks(block, rows)):
            moved = firsts - numpy.arange(0, len(block), rows)
            result[windows] = numpy.where(found < 0, found, found + moved) if emit.startswith("arg") else found
    return results


def _zoom(data: Any, n: Any, emits: List[str], options: Dict[str, Any]) -> Any:
    """A series or frame for each value."""
    from pandas import DatetimeIndex

    index = data.index
    moments, _ = read_times(index, numpy.timedelta64(1, "ns"), len(index))
    if (moments[1:] < moments[:-1]).any():
        raise ValueError("the index goes back in time, or has NaT: sort_index() puts it in order")
    borders = _borders(moments, n, index.tz) if len(index) > 0 else moments
    bounds = numpy.searchsorted(moments, borders)
    labels = DatetimeIndex(borders[:-1], tz="UTC", name=index.name).tz_convert(index.tz)
    if data.ndim == 1:
        return [data._constructor(one, labels, name=data.name) for one in _reduce(column_of(data), bounds, emits, options)]
    columns = [_reduce(column_of(data.iloc[:, i]), bounds, emits, options) for i in range(data.shape[1])]
    given = [data._constructor({i: column[k] for i, column in enumerate(columns)}, labels) for k in range(len(emits))]
    return [one.set_axis(data.columns, axis=1) for one in given]


def adapt(name: str, named: Dict[str, Any]) -> Any:
    """What zoom() gives for windows that are a length of time; NotImplemented for others."""
    x, n = named.pop("x", None), named.pop("n", None)
    if n is None or hasattr(n, "__index__") or not named.keys() <= {"emit", "axis", "nan", "out", "threads", "stream"}:
        return NotImplemented
    if not hasattr(getattr(x, "index", None), "tz_convert"):
        raise TypeError(f"n must be an integer, not {type(n).__name__}; of a Series or DataFrame of pandas with times as "
                        "its index (a DatetimeIndex), n may be a length of time")  # fmt: skip
    if named.pop("axis", None) not in (None, 0) or named.pop("out", None) is not None or named.pop("stream", None) is not None:
        raise ValueError("windows of time are along the index, and take no out and no stream")
    emits = split_emit(named.pop("emit", None) or "min,max")
    given = _zoom(x, n, emits, {**named, "nan": named.get("nan") or "omit"})
    return tuple(given) if len(given) > 1 else given[0]
