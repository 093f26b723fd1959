"""Times of samples, and lengths of time, as whole numbers of one unit."""

import datetime
import fractions
import operator
import re
from typing import Any, Tuple

import numpy

_NS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_WORDS = {**_NS, "min": 60 * 10**9, "t": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9, "w": 7 * 86400 * 10**9}
_FLOATS = 10**9  # of a unit of times that are floats
_NAT = numpy.iinfo("i8").min


def _length(w: Any) -> int:
    """A length of time in nanoseconds."""
    if hasattr(w, "to_timedelta64"):
        w = w.to_timedelta64()
    if isinstance(w, str):
        match = re.fullmatch(r"\s*(\d*\.?\d*)\s*([A-Za-z]+)\s*", w)
        factor = _WORDS.get(match[2].lower()) if match else None
        if match is None or factor is None or match[1] == ".":
            raise ValueError(f"w is no length of time: {w!r} (a number with ns, us, ms, s, min, h, D or W)")
        length = fractions.Fraction(match[1] or 1) * factor
    elif hasattr(w, "nanos"):  # an offset of pandas
        length = fractions.Fraction(int(w.nanos))
    elif isinstance(w, numpy.timedelta64) and numpy.isnat(w):
        raise ValueError("w is NaT")
    elif isinstance(w, numpy.timedelta64) and numpy.datetime_data(w.dtype)[0] not in ("generic", "Y", "M"):
        unit, count = numpy.datetime_data(w.dtype)
        factor = _WORDS["min"] if unit == "m" else _WORDS.get(unit.lower())
        if factor is None:
            raise ValueError(f"w is no length of time in nanoseconds: {w!r}")
        length = fractions.Fraction(int(w.astype("i8")) * count * factor)
    elif isinstance(w, datetime.timedelta):
        length = fractions.Fraction((w.days * 86400 + w.seconds) * 10**6 + w.microseconds) * 1000
    else:
        raise TypeError(f"w must be a length of time, as times are: a timedelta, or a string ('5min'), not {type(w).__name__}")
    if length.denominator != 1:
        raise ValueError(f"w must be a whole number of nanoseconds, not {w!r}")
    return int(length)


def _in_nanoseconds(times: "numpy.ndarray[Any, Any]", factor: int) -> "numpy.ndarray[Any, Any]":
    if (times == _NAT).any():
        raise ValueError("times has NaT")
    if times.size > 0 and not all(abs(int(time) * factor) < 2**63 for time in (times.min(), times.max())):
        raise ValueError("times are too far apart to be counted in nanoseconds, as w needs")
    return times * factor


def _of_clock(times: "numpy.ndarray[Any, Any]", w: Any) -> Tuple["numpy.ndarray[Any, Any]", int]:
    """Of datetime64 and timedelta64."""
    kind = times.dtype.kind
    unit, count = numpy.datetime_data(times.dtype)
    if unit in ("Y", "M", "W", "D", "h", "m") or count != 1:
        unit = "s" if unit in ("Y", "M", "W", "D", "h", "m") else unit
        times = times.astype(f"{kind}8[{unit}]")
    if unit not in _NS:
        raise ValueError(f"times in {unit} are finer than nanoseconds")
    numbers = times.astype(times.dtype.newbyteorder("="), copy=False).view("i8")
    if numbers.size > 0 and numbers[0] == _NAT:  # later ones go back in time
        raise ValueError("times has NaT")
    length = _length(w)
    if length % _NS[unit] != 0:
        return _in_nanoseconds(numbers, _NS[unit]), length
    return numbers, length // _NS[unit]


def _of_numbers(times: "numpy.ndarray[Any, Any]", w: Any) -> Tuple["numpy.ndarray[Any, Any]", int]:
    if times.dtype.kind in "iu":
        if times.dtype == "u8" and times.size > 0 and times.max() >= 2**63:
            raise ValueError("times are 2**63 or more")
        try:
            return times.astype("i8", copy=False), operator.index(w)
        except TypeError:
            raise TypeError(f"w must be an integer, as times are, not {type(w).__name__}") from None
    if isinstance(w, bool) or not isinstance(w, (int, float, numpy.integer, numpy.floating)):
        raise TypeError(f"w must be a number, as times are, not {type(w).__name__}")
    counts: Any = numpy.rint(times.astype("f8") * _FLOATS)
    if not (numpy.abs(counts) < 2**63).all():
        raise ValueError("times has NaN, infinities, or numbers of 9.2e9 or more: give integers")
    return counts.astype("i8"), round(float(w) * _FLOATS)


def read_times(times: Any, w: Any, count: int) -> Tuple["numpy.ndarray[Any, Any]", int]:
    """The times of `count` samples, and the window, as whole numbers of the same unit. Floats count to nine places behind
    the point."""
    if getattr(getattr(times, "dtype", None), "tz", None) is not None:
        times = (times.dt if hasattr(times, "dt") else times).tz_convert(None)
    array = numpy.asarray(times)
    if array.shape != (count,):
        raise ValueError(f"times has the shape {array.shape}, but there are {count} samples along the axis")
    if array.dtype.kind in "mM":
        numbers, width = _of_clock(array, w)
    elif array.dtype.kind in "iuf":
        numbers, width = _of_numbers(array, w)
    else:
        raise TypeError(f"times must be datetime64, timedelta64 or numbers, not {array.dtype}")
    if not 0 < width < 2**64:
        raise ValueError("w must be longer than 0")
    return numpy.ascontiguousarray(numbers), width
