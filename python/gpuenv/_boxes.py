# SPDX-License-Identifier: MIT
"""Windows along several axes: the extremes of boxes, by a pass along each axis."""

import os
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from . import _core
from ._arrays import check_axis, give_back, is_foreign, like, to_index, to_numpy

_LATER = {"minimum": _core.minimum, "maximum": _core.maximum, "absmax": _core.maximum}  # others are of minimum and maximum
_BAND = 1 << 20  # bytes: it stays in the L2 cache
_WORKERS = 8  # threads of Python at most
_TASKS = 4  # of each
_ALIGNS = ("valid", "causal", "center", "forward")  # as numbers of the library
_Job = Tuple[int, int, str]  # an axis, a length of the window, and its place


def per_axis(value: Any, count: int, name: str) -> List[Any]:
    """One value for each axis."""
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{name} must be one for all axes, or have one for each of {count}")
    return list(value)


def find_axes(axes: Any, dimensions: int) -> List[int]:
    found = [check_axis(to_index(axis, "axes"), dimensions) for axis in (axes if hasattr(axes, "__len__") else [axes])]
    if len(set(found)) < len(found):
        raise ValueError("axes must be unique")
    return found


def part(axis: int, first: int, end: Optional[int]) -> Tuple[Any, ...]:
    return (slice(None),) * axis + (slice(first, end),)


def _remove_cut(results: Any, shape: Sequence[int], jobs: Sequence[_Job], hop: int) -> None:
    """Puts NaN where a window is cut by an end of an axis; `shape` is that of the samples."""
    for axis, w, align in jobs:
        before = {"causal": w - 1, "center": w // 2}.get(align, 0)
        behind = shape[axis] - {"forward": w - 1, "center": (w - 1) // 2}.get(align, 0)
        for cut in (part(axis, 0, -(-before // hop)), part(axis, max(-(-behind // hop), 0), None)):
            results[cut] = numpy.ma.masked if isinstance(results, numpy.ma.MaskedArray) else numpy.nan


def _between(name: str, lo: Any, hi: Any, out: Any, named: Any, remove: Any) -> Any:
    """Range or middle of extremes, by a window of both; `remove` removes results."""
    arrays = [x if isinstance(x, numpy.ndarray) else to_numpy(x) for x in (lo, hi)]
    pair = (numpy.ma if isinstance(lo, numpy.ma.MaskedArray) else numpy).stack(arrays)
    to = None if out is None else to_numpy(out)[numpy.newaxis]
    words = {word: named[word] for word in ("nan", "threads") if word in named}
    result = getattr(_core, name)(pair, 2, axis=0, out=to, **words)
    if remove is not None:
        remove(result[0])
    if out is not None:
        return out
    return give_back(lo, result[0]) if is_foreign(lo) else like(lo, result[0], 0, 1)


def _by_passes(function: Any, x: Any, jobs: Sequence[_Job], out: Any, named: Any) -> Any:
    for axis, w, align in jobs[:-1]:
        x = function(x, w, axis=axis, align=align, **named)
        if named.get("nan") == "error":  # there is none
            named = {**named, "nan": "propagate"}
    axis, w, align = jobs[-1]
    return function(x, w, axis=axis, align=align, out=out, **named)


def _shape(x: Any, jobs: Sequence[_Job]) -> List[int]:
    shape = list(x.shape)
    for axis, w, align in jobs:
        shape[axis] -= w - 1 if align == "valid" else 0
    return shape


def _has_bands(x: Any, rows: int, axis: int, shape: List[int], out: Any, named: Any) -> bool:
    if x.dtype.kind not in "biuf" or not x.dtype.isnative or 4 * rows > shape[axis] or min(shape) < 1:
        return False
    if named.get("hop", 1) != 1 or named.get("edge", "shrink") != "shrink" or named.get("nan") == "error":
        return False
    return out is None or (
        type(out) is numpy.ndarray and list(out.shape) == shape and not numpy.may_share_memory(x, out)
    )


def _empty(x: Any, shape: Sequence[int]) -> Any:
    return numpy.empty(shape, x.dtype, "F" if x.flags.fnc else "C")


def _bands(function: Any, x: Any, jobs: Sequence[_Job], rows: int, step: int, to: Any, named: Any) -> Callable[[int], None]:
    """A function for a step of results, a multiple of rows, from a row on: a band of rows at a time."""
    axis, w, align = jobs[0]
    before = {"center": w // 2, "causal": w - 1}.get(align, 0)

    def run(begin: int) -> None:
        stop = min(begin + step, to.shape[axis])
        room = _empty(x, (*x.shape[:axis], rows + w - 1, *x.shape[axis + 1 :]))
        for first in range(begin, stop, rows):
            end = min(first + rows, stop)
            low = max(first - before, 0)
            high = min(end - before + w - 1, x.shape[axis])
            whole = high - low == end - first + w - 1  # the windows are not cut
            band = room[part(axis, 0, end - first if whole else high - low)]
            function(x[part(axis, low, high)], w, axis=axis, align="valid" if whole else align, out=band, **named)
            if not whole:
                band = band[part(axis, first - low, end - low)]
            _by_passes(function, band, jobs[1:], to[part(axis, first, end)], named)

    return run


def _count_threads(most: Any) -> int:
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cpus if most is None else min(to_index(most, "threads"), cpus)


def _is_image(x: Any, jobs: Sequence[_Job], shape: List[int], out: Any, named: Any) -> bool:
    """Does the library know such boxes? The axes that are left are channels: they must be the nearest in memory."""
    threads = named.get("threads")
    left = [abs(x.strides[axis]) for axis in range(x.ndim) if axis not in (jobs[0][0], jobs[1][0])]
    return (
        len(left) < 2
        and all(stride <= abs(x.strides[jobs[1][0]]) for stride in left)
        and _has_bands(x, 0, jobs[0][0], shape, out, named)
        and x.dtype.kind != "b"
        and set(named) <= {"hop", "edge", "nan", "threads"}
        and named.get("nan") in (None, "propagate", "omit")
        and (threads is None or (type(threads) is int and 0 < threads < 2**31))
        and (out is None or (out.dtype == x.dtype and out.flags.writeable))
        and jobs[0][2] == jobs[1][2]
        and all(align in _ALIGNS and 0 < w < 2**62 for _, w, align in jobs)
    )


def _image(function: Any, x: Any, jobs: Sequence[_Job], shape: List[int], out: Any, named: Any) -> Any:
    """Boxes of two axes, of an image and its channels."""
    results = _empty(x, shape) if out is None else out
    (first, height, align), (second, width, _) = jobs
    order = (first, second, *(axis for axis in range(x.ndim) if axis not in (first, second)))
    omits, largest, threads = named.get("nan") == "omit", function is _core.maximum, named.get("threads") or 0
    here = (x.transpose(order), results.transpose(order))
    _core.boxes(*here, height, width, _ALIGNS.index(align), omits, largest, threads)
    return results


def box(function: Any, x: Any, jobs: Sequence[_Job], out: Any, named: Any) -> Any:
    """Minima or maxima of boxes. All passes are over a band of rows before the next one: so what lies between passes stays
    in the cache, and no large array is made for it. Each thread has bands of its own."""
    plain = [a.view(numpy.ndarray) if type(a) is numpy.memmap else a for a in (x, out)]
    if plain[0] is not x or plain[1] is not out:
        results = box(function, plain[0], jobs, plain[1], named)
        return results if out is None else out
    if type(x) is not numpy.ndarray or len(jobs) < 2:
        return _by_passes(function, x, jobs, out, named)
    sizes, jobs = jobs, sorted(jobs, key=lambda job: abs(int(x.strides[job[0]])), reverse=True)
    axis, w, _ = jobs[0]
    shape = _shape(x, jobs)
    if len(jobs) == 2 and _is_image(x, jobs, shape, out, named):
        return _image(function, x, jobs, shape, out, named)
    if x.nbytes < 2 * _BAND:
        return _by_passes(function, x, sizes, out, named)
    rows = int(max(3 * w, _BAND * x.shape[axis] // x.nbytes))
    threads = _count_threads(named.get("threads"))
    if threads < 1 or not _has_bands(x, rows, axis, shape, out, named):
        return _by_passes(function, x, jobs, out, named)
    results = _empty(x, shape) if out is None else out
    workers = min(threads, _WORKERS, x.nbytes // (_TASKS * _BAND))
    if workers < 2:
        _bands(function, x, jobs, rows, shape[axis], results, named)(0)
        return results
    from concurrent.futures import ThreadPoolExecutor

    step = rows * -(-shape[axis] // (rows * workers * _TASKS))
    with ThreadPoolExecutor(workers) as pool:
        run = _bands(function, x, jobs, rows, step, results, {**named, "threads": threads // workers})
        list(pool.map(run, range(0, shape[axis], step)))
    return results


def _run(name: str, x: Any, jobs: List[_Job], out: Any, named: Any) -> Any:
    if name in ("minimum", "maximum"):
        return box(getattr(_core, name), x, jobs, out, named)
    remove = None
    if name in ("ptp", "mid") and named.get("edge") == "nan":  # floats would not hold all integers
        named = {**named, "edge": "shrink"}
        remove = partial(_remove_cut, shape=numpy.shape(x), jobs=jobs, hop=named.get("hop", 1))
    axis, w, align = jobs[0]
    found = getattr(_core, name if name in _LATER else "minmax")(x, w, axis=axis, align=align, **named)
    later = {**named, "nan": "propagate"} if named.get("nan") == "error" else named
    if name in _LATER:
        return box(_LATER[name], found, jobs[1:], out, later)
    to = out if name == "minmax" and out is not None else (None, None)
    lo, hi = (box(one, x, jobs[1:], a, later) for one, x, a in zip((_core.minimum, _core.maximum), found, to))
    return (lo, hi) if name == "minmax" else _between(name, lo, hi, out, later, remove)


def adapt(name: str, named: Dict[str, Any]) -> Any:
    """What the function of this name gives for `axes`; NotImplemented for calls without it."""
    if "x" not in named or "w" not in named or name not in (*_LATER, "minmax", "ptp", "mid"):
        return NotImplemented
    x, w, axes, out = (named.pop(word, None) for word in ("x", "w", "axes", "out"))
    if axes is None:
        if isinstance(w, tuple):
            raise TypeError("w must be an integer; with axes= a tuple, a length for each of them")
        return NotImplemented
    for word, value in named.items():
        if word in ("axis", "times", "min_count") and value is not None:
            raise ValueError(f"{word} is for windows along one axis, without axes=")
    if named.get("edge") == "nan" and named.get("nan") == "omit":
        raise ValueError("edge='nan' with nan='omit' is for windows along one axis")
    if name == "minmax" and out is not None and not (isinstance(out, (tuple, list)) and len(out) == 2):
        raise TypeError("out must be a pair of arrays, (lo, hi)")
    found = find_axes(axes, len(x.shape) if hasattr(x, "shape") else numpy.ndim(x))
    if not found:
        raise ValueError("axes must have an axis")
    if len(found) == 1:
        return getattr(_core, name)(x, per_axis(w, 1, "w")[0], axis=found[0], out=out, **named)
    align = named.pop("align", "valid")
    lengths = [to_index(one, "w") for one in per_axis(w, len(found), "w")]
    return _run(name, x, [(axis, length, align) for axis, length in zip(found, lengths)], out, named)
