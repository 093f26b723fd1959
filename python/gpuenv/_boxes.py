"""Windows along several axes: the extremes of boxes, by a pass along each axis."""

from typing import Any, List, Tuple

import numpy

from . import _core
from ._arrays import check_axis, give_back, is_foreign, like, to_index, to_numpy

_LATER = {"minimum": ("minimum",), "maximum": ("maximum",), "absmax": ("maximum",)}  # others are of minimum and maximum


def per_axis(value: Any, count: int, name: str) -> List[Any]:
    """One value for each axis."""
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{name} must be one for all axes, or have one for each of {count}")
    return list(value)


def find_axes(axes: Any, dimensions: int) -> List[int]:
    found = [to_index(axis, "axes") for axis in (axes if hasattr(axes, "__len__") else [axes])]
    for axis in found:
        check_axis(axis, dimensions)
    if len({axis % dimensions for axis in found}) < len(found):
        raise ValueError("axes must be unique")
    return [axis % dimensions for axis in found]


def _between(name: str, lo: Any, hi: Any, out: Any, named: Any) -> Any:
    """Range or middle of extremes, by a window of both."""
    arrays = [x if isinstance(x, numpy.ndarray) else to_numpy(x) for x in (lo, hi)]
    pair = (numpy.ma if isinstance(lo, numpy.ma.MaskedArray) else numpy).stack(arrays)
    to = None if out is None else to_numpy(out)[numpy.newaxis]
    words = {word: named[word] for word in ("nan", "threads") if word in named}
    result = getattr(_core, name)(pair, 2, axis=0, out=to, **words)
    if out is not None:
        return out
    return give_back(lo, result[0]) if is_foreign(lo) else like(lo, result[0], 0, 1)


def _run(name: str, x: Any, jobs: List[Tuple[int, Any]], out: Any, named: Any) -> Any:
    later = {**named, "nan": "propagate"} if named.get("nan") == "error" else named
    axis, w = jobs[0]
    found = getattr(_core, name if name in _LATER else "minmax")(x, w, axis=axis, **named)
    results = list(found) if isinstance(found, tuple) else [found]
    del found
    pair = out if name == "minmax" and out is not None else (out if name in _LATER else None, None)
    for i, function in enumerate(_LATER.get(name, ("minimum", "maximum"))):
        for axis, w in jobs[1:-1]:
            results[i] = getattr(_core, function)(results[i], w, axis=axis, **later)
        axis, w = jobs[-1]
        results[i] = getattr(_core, function)(results[i], w, axis=axis, out=pair[i], **later)
    if name in ("ptp", "mid"):
        return _between(name, results[0], results[1], out, later)
    return results[0] if name in _LATER else tuple(results)


def adapt(name: str, *places: Any, **named: Any) -> Any:
    """What the function of this name gives for `axes`; NotImplemented for calls without it."""
    named.update(zip(("x", "w"), places))
    if len(places) > 2 or "x" not in named or "w" not in named or name not in (*_LATER, "minmax", "ptp", "mid"):
        return NotImplemented
    x, w, axes, out = (named.pop(word, None) for word in ("x", "w", "axes", "out"))
    if axes is None:
        if isinstance(w, tuple):
            raise TypeError("w must be an integer; with axes= a tuple, a length for each of them")
        return NotImplemented
    for word in ("axis", "times", "min_count"):
        if named.get(word) is not None:
            raise ValueError(f"{word} is for windows along one axis, without axes=")
    if named.get("edge") == "nan" and named.get("nan") == "omit":
        raise ValueError("edge='nan' with nan='omit' is for windows along one axis")
    if name == "minmax" and out is not None and not (isinstance(out, (tuple, list)) and len(out) == 2):
        raise TypeError("out must be a pair of arrays, (lo, hi)")
    found = find_axes(axes, len(x.shape) if hasattr(x, "shape") else numpy.ndim(x))
    jobs = list(zip(found, per_axis(w, len(found), "w")))
    if not jobs:
        raise ValueError("axes must have an axis")
    if len(jobs) == 1:
        return getattr(_core, name)(x, jobs[0][1], axis=jobs[0][0], out=out, **named)
    return _run(name, x, jobs, out, named)
