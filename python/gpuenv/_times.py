# SPDX-License-Identifier: MIT
"""Times of samples, and lengths of time, as whole numbers of one unit."""

import datetime
import fractions
import math
import operator
import re
from typing import Any, Tuple

import numpy

from ._arrays import as_numpy

_NS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_WORDS = {**_NS, "min": 60 * 10**9, "t": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9, "w": 7 * 86400 * 10**9}
_NAT = numpy.iinfo("i8").min


def length_of(w: Any, name: str = "w") -> int:
    """A length of time in nanoseconds."""
    if hasattr(w, "to_timedelta64"):
        w = w.to_timedelta64()
    if isinstance(w, str):
        match = re.fullmatch(r"\s*(\d*\.?\d*)\s*([A-Za-z]+)\s*", w)
        factor = _WORDS.get(match[2].lower()) if match and match[2] != "MS" else None  # of pandas, a month
        if match is None or factor is None or match[1] == ".":
            raise ValueError(f"{name} is no length of time: {w!r} (a number with ns, us, ms, s, min, h, D or W; "
                             "of zoom() also 1mo, 3mo or 1y)")
        number = match[1] or "1"
        length: Any = fractions.Fraction(number) * factor if "." in number else int(number) * factor
    elif hasattr(w, "nanos"):  # an offset of pandas
        length = int(w.nanos)
    elif isinstance(w, numpy.timedelta64) and numpy.isnat(w):
        raise ValueError(f"{name} is NaT")
    elif isinstance(w, numpy.timedelta64) and numpy.datetime_data(w.dtype)[0] not in ("generic", "Y", "M"):
        unit, count = numpy.datetime_data(w.dtype)
        factor = _WORDS["min"] if unit == "m" else _WORDS.get(unit.lower())
        if factor is None:
            raise ValueError(f"{name} is no length of time in nanoseconds: {w!r}")
        length = int(w.astype("i8")) * count * factor
    elif isinstance(w, datetime.timedelta):
        length = ((w.days * 86400 + w.seconds) * 10**6 + w.microseconds) * 1000
    else:
        raise TypeError(f"{name} must be a length of time: a timedelta, or a string ('5min'), not {type(w).__name__}")
    if length.denominator != 1:
        raise ValueError(f"{name} must be a whole number of nanoseconds, not {w!r}")
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
    length = length_of(w)
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
    return _of_floats(times.astype("f8", copy=False), w)


def _is_decimal(number: float) -> bool:
    """Is it what floats make of a decimal with nine places, as _core.decimals() asks of times?"""
    count = round(number * 1e9)
    return abs(number * 1e9 - count) <= min(abs(count) * 2.0**-51, 0.25)


def _of_floats(times: "numpy.ndarray[Any, Any]", w: Any) -> Tuple["numpy.ndarray[Any, Any]", int]:
    """Decimals of nine places and fewer are what they look like: 0.1 * 3 is 0.3. Other floats are exact, down to 2**-61 of
    the largest time."""
    from . import _core  # which imports this module

    counts = _core.decimals(times)
    if counts is None:
        most = float(numpy.abs(times).max(initial=0))
    else:  # times that are not in order are refused
        most = max(map(abs, times[:: max(times.size - 1, 1)].tolist()), default=0.0)
    if not most < math.inf:
        raise ValueError("times has NaN or infinities")
    if not w > 0:
        raise ValueError("w must be longer than 0")
    length = float(min(w, 4 * most))  # a longer window has all samples, too
    if counts is not None and _is_decimal(length):
        return counts, max(round(length * 1e9), 1)
    shift = 61 - math.frexp(most)[1]
    large = times * 2.0**shift if shift < 1024 else numpy.ldexp(times, shift)
    return numpy.rint(large).astype("i8"), max(math.ceil(math.ldexp(length, shift)), 1)


def _of_objects(times: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """Dates, datetimes and timedeltas of Python and pandas as NumPy has them; those with a time zone in UTC."""
    if times.size == 0:
        return times.astype("M8[s]")
    if all(isinstance(time, datetime.timedelta) for time in times):
        return numpy.array([time.to_timedelta64() if hasattr(time, "nanoseconds") else time for time in times], "m8")
    if not all(isinstance(time, datetime.date) for time in times):
        return times
    zoned = [time for time in times if getattr(time, "tzinfo", None) is not None]
    if zoned and len(zoned) < len(times):
        raise TypeError("times must all have a time zone, or none of them")
    local = [time.astimezone(datetime.timezone.utc).replace(tzinfo=None) for time in zoned] or times
    return numpy.array([time.to_datetime64() if hasattr(time, "nanosecond") else time for time in local], "M8")


def read_times(times: Any, w: Any, count: int) -> Tuple["numpy.ndarray[Any, Any]", int]:
    """The times of `count` samples, and the window, as whole numbers of the same unit."""
    if getattr(getattr(times, "dtype", None), "tz", None) is not None:
        times = (times.dt if hasattr(times, "dt") else times).tz_convert(None)
    array = as_numpy(times)
    if array.shape != (count,):
        raise ValueError(f"times has the shape {array.shape}, but there are {count} samples along the axis")
    if array.dtype == "O":
        array = _of_objects(array)
    if array.dtype.kind in "mM":
        numbers, width = _of_clock(array, w)
    elif array.dtype.kind in "iuf":
        numbers, width = _of_numbers(array, w)
    else:
        raise TypeError(f"times must be datetime64, timedelta64 or numbers, not {array.dtype}")
    if not 0 < width < 2**64:
        raise ValueError("w must be longer than 0")
    return numpy.ascontiguousarray(numbers if numbers.flags.aligned else numbers.copy()), width
