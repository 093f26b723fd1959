# SPDX-License-Identifier: MIT
"""Arrays with samples that are missing but no NaN: masked arrays, and dates, whose NaT is one."""

from typing import Any, Dict, Tuple

import numpy

from . import _core
from ._arrays import default_axis, is_foreign, like, split_emit

_ma: Any = numpy.ma  # has no types in some versions
_VALUES = {"minimum": "min", "maximum": "max", "minmax": "min,max", "zoom": "min,max", "ptp": "range"}
_OF_BOTH: Dict[str, Any] = {"range": _core.ptp, "absmax": _core.absmax, "abs": _core.absmax, "mid": _core.mid}
_EXTREMES = {"min", "max", *_OF_BOTH}


def _extreme(dtype: Any, highest: bool) -> Any:
    if dtype.kind == "f":
        return dtype.type(numpy.inf if highest else -numpy.inf)
    if dtype.kind == "b":
        return dtype.type(highest)
    return getattr(numpy.iinfo(dtype), "max" if highest else "min")


def _extremes(values: Any, missing: Any, zooms: bool, named: Dict[str, Any]) -> Tuple[Any, Any, Any]:
    """Minima and maxima of what is there, and which results are missing."""
    call: Any = _core.zoom if zooms else _core.minmax
    plain = {name: value for name, value in named.items() if name not in ("nan", "edge", "min_count")}
    lo = call(numpy.where(missing, _extreme(values.dtype, True), values), **plain)[0]
    hi = call(numpy.where(missing, _extreme(values.dtype, False), values), **plain)[1]
    return lo, hi, numpy.isnan(call(numpy.where(missing, numpy.float32(numpy.nan), numpy.float32(0)), **named)[0])


def _of_dates(dates: Any, emits: Any, zooms: bool, named: Dict[str, Any]) -> Any:
    if named.get("closed") in ("left", "neither"):
        raise ValueError("closed must be right or both for dates")
    lo, hi, gone = _extremes(dates.view("i8"), numpy.isnat(dates), zooms, named)
    found = {"min": lo.view(dates.dtype), "max": hi.view(dates.dtype)}
    found["range"] = found["max"] - found["min"]
    for value in found.values():
        value[gone] = "NaT"
    return [found[emit] for emit in emits]


def _ranks(values: Any, missing: Any) -> Any:
    """Floats in the order of these values; what is missing is NaN."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        values = numpy.unique(values, return_inverse=True)[1].reshape(values.shape)  # numbers that float64 holds
    if values.dtype.kind != "f":
        values = values.astype("f8")
    return numpy.where(missing, values.dtype.type(numpy.nan), values)


def _of_masked(x: Any, emits: Any, zooms: bool, named: Dict[str, Any]) -> Any:
    missing = _ma.getmaskarray(x)
    values = x.data if x.dtype.kind != "c" else abs(x.data)
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.dtype.kind == "f":
        missing = missing | numpy.isnan(values)
    found: Dict[str, Any] = {}
    if not _EXTREMES >= set(emits):
        floats = values if values.dtype.kind == "f" else values.astype("f8")
        made = _core.zoom(numpy.where(missing, floats.dtype.type(numpy.nan), floats), emit=emits, **named)
        found = dict(zip(emits, made if isinstance(made, tuple) else (made,)))
        found.update({at: _core.zoom(_ranks(values, missing), emit=at, **named) for at in {"argmin", "argmax"} & {*emits}})
    gone = numpy.False_
    # Floats would not hold all integers.
    if not _EXTREMES.isdisjoint(emits):
        lo, hi, gone = _extremes(values, missing, zooms, named)
        found.update({"min": lo, "max": hi})
        found.update({emit: _OF_BOTH[emit](numpy.stack([lo, hi]), 2, axis=0)[0] for emit in emits if emit in _OF_BOTH})
    return [_ma.array(found[emit], mask=numpy.isnan(found[emit]) | (gone & (emit in _EXTREMES))) for emit in emits]


def adapt(name: str, named: Dict[str, Any]) -> Any:
    """What the function of this name gives for an array of dates or a masked one; NotImplemented for others."""
    zooms = name == "zoom"
    x, out = named.pop("x"), named.pop("out", None)
    if is_foreign(x) or not hasattr(x, "dtype"):
        return NotImplemented
    masked = isinstance(x, _ma.MaskedArray)
    array: Any = x if masked else numpy.asarray(x)
    if not (masked and array.dtype.kind in "biufc" or array.dtype.kind in "mM"):
        return NotImplemented
    if named.get("axis") is None:
        named["axis"] = default_axis(x)
    emits = split_emit(named.pop("emit", None) or _VALUES.get(name, name))
    dates = array.dtype.kind in "mM"
    if emits in (["argmin"], ["argmax"]) and not zooms and not (dates and masked):
        values = array.data if masked else array
        values = abs(values) if values.dtype.kind == "c" else values.astype(values.dtype.newbyteorder("="), copy=False)
        if named.get("nan") is None and masked:
            named["nan"] = "omit"
        missing = numpy.isnat(values) if dates else _ma.getmaskarray(array)
        at = getattr(_core, name)(_ranks(values.view("i8") if dates else values, missing), **named)
        results = [like(x, at, named["axis"] % array.ndim, named.get("hop", 1))]
    elif dates:
        if masked or not set(emits) <= {"min", "max", "range"} or (zooms and "range" in emits):
            return NotImplemented
        native = array.astype(array.dtype.newbyteorder("="), copy=False)
        results = _of_dates(native, emits, zooms, named)
        step = named["n"] if zooms else named.get("hop", 1)
        results = [like(x, one, named["axis"] % array.ndim, step) for one in results]
    else:
        if named.get("nan") is None:
            named["nan"] = "omit"
        results = _of_masked(x, emits, zooms, named)
    if out is not None:
        for one, to in zip(results, out if len(results) > 1 else [out]):
            to[...] = one
        return out
    return tuple(results) if len(results) > 1 else results[0]
