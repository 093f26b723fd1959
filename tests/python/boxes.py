# SPDX-License-Identifier: MIT
"""Windows along several axes, and the filters and grey morphology of SciPy, whose results they are.

    boxes.py PACKAGE_DIR [ARRAYS]
"""

import inspect
import tempfile
import tracemalloc
import warnings

from package import *
from harness import argument, check, finish

rng = np.random.default_rng(50)
arrays = argument(2, 60)
FAMILY = ["minmax", "minimum", "maximum", "absmax", "ptp", "mid"]

# ---- w and axes


def one_by_one(name, x, w, axes, options):
    """By calls of one axis each, in another order."""
    if len(axes) == 1:
        return getattr(gpuenv, name)(x, w[0], axis=axes[0], **options)
    lo = hi = x if name != "absmax" else gpuenv.absmax(x, 1)
    for axis, width in list(zip(axes, w))[::-1]:
        lo = gpuenv.minimum(lo, width, axis=axis, **options)
        hi = gpuenv.maximum(hi, width, axis=axis, **options)
    if name in ("ptp", "mid") and options["edge"] == "nan":  # of the whole integers
        due = one_by_one(name, x, w, axes, {**options, "edge": "shrink"})
        return np.where(np.isnan(lo), due.dtype.type(np.nan), due)
    if name in ("ptp", "mid"):
        return getattr(gpuenv, name)(np.stack([lo, hi]), 2, axis=0)[0]
    return {"minmax": (lo, hi), "minimum": lo}.get(name, hi)


for _ in range(arrays):
    shape = [int(rng.integers(1, 12)) for _ in range(rng.integers(1, 4))]
    x = strided(rng, samples(rng, shape, rng.choice(DTYPES), rng.choice([0, 0.1])))
    axes = [int(axis) for axis in rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)]]
    w = tuple(int(rng.integers(1, 6)) for _ in axes)
    options = {name: value for name, value in draw_options(rng, 1, 0, [1, 1, 2]).items() if name not in ("w", "axis")}
    if options["edge"] == "nan":
        options["nan"] = "propagate"
    gpuenv._boxes._BAND = rng.choice([1, 64, 1 << 22])  # small arrays have bands, too
    for name in FAMILY:
        got = getattr(gpuenv, name)(x, w, axes=axes, **options)
        expected = one_by_one(name, x, w, axes, options)
        pairs = zip(got, expected) if name == "minmax" else [(got, expected)]
        check(all(same(one, due) for one, due in pairs), name, x.dtype, shape, w, axes, options)
        out = tuple(map(np.empty_like, got)) if name == "minmax" else np.empty_like(got)
        told = getattr(gpuenv, name)(x, w, axes=axes, out=out, **options)
        for one, due in zip(told, got) if name == "minmax" else [(told, got)]:
            check(same(one, due), "out", name)
        check(told[0] is out[0] and told[1] is out[1] if name == "minmax" else told is out, "out is given back", name)

# Many bands, along either axis of memory.
for order in "CF":
    x = np.asarray(rng.standard_normal((60, 50)), order=order)
    for align, w in itertools.product(("valid", "causal", "center", "forward"), ((1, 1), (2, 3), (7, 4))):
        gpuenv._boxes._BAND = 1 << 22
        expected = gpuenv.minimum(x, w, axes=(0, 1), align=align)
        gpuenv._boxes._BAND = 64
        got = gpuenv.minimum(x, w[::-1], axes=(1, 0), align=align)
        check(same(got, expected) and got.strides == expected.strides, "bands", order, align, w)
        a = np.array(x)
        check(align == "valid" or same(gpuenv.minimum(a, w, axes=(0, 1), align=align, out=a), expected), "in place")
        for threads in (1, 3, 100):
            got = gpuenv.minimum(x, w, axes=(0, 1), align=align, threads=threads)
            check(same(got, expected), "bands of threads", order, align, w, threads)
        check("threads" in raises(ValueError, gpuenv.minimum, x, w, axes=(0, 1), threads=0), "no threads")
        check("threads" in raises(TypeError, gpuenv.minimum, x, w, axes=(0, 1), threads="2"), "threads in words")

# Rows of several units along axis 0, whose last one has a few channels or a vector of them; into results of another type, too.
for dtype, columns in (("u1", 16384 + 3), ("f4", 4096 + 70), ("f8", 2048 + 2)):
    x = samples(rng, (150, columns), dtype, 0.001)
    for w, align in ((2, "valid"), (100, "center")):
        rows = gpuenv.minmax(np.ascontiguousarray(x.T), w, align=align)
        for got, due in zip(gpuenv.minmax(x, w, axis=0, align=align), rows):
            check(same(got, due.T), "long rows", dtype, w)
        wide = np.empty(rows[0].T.shape, "f8")
        check(np.array_equal(gpuenv.minimum(x, w, axis=0, align=align, out=wide), rows[0].T, True), "wide results", dtype, w)

x = np.arange(12.0).reshape(3, 4)
check(gpuenv.maximum(x, 2, axes=(0, -1)).tolist() == [[5, 6, 7], [9, 10, 11]], "one length for all axes")
view = np.lib.stride_tricks.sliding_window_view(x, (2, 3))
check(np.array_equal(gpuenv.ptp(x, (2, 3), axes=(0, 1)), view.max((-2, -1)) - view.min((-2, -1))), "windows of NumPy")
days = x.astype("i8").view("M8[D]")
check(gpuenv.maximum(days, (2, 2), axes=(0, 1)).dtype == days.dtype, "dates")
check(gpuenv.ptp(days, (2, 2), axes=(0, 1))[0, 0] == np.timedelta64(5, "D"), "the range of dates")
whole = np.array([[2**62 + 1, 2**62 + 4], [2**62 + 5, 2**62 + 9]])
check(same(gpuenv.ptp(whole, 2, axes=(0, 1), align="causal", edge="nan")[1], np.array([np.nan, 8])), "64 bits are exact")
masked = np.ma.masked_equal(x, 11)
check(gpuenv.ptp(masked, 2, axes=(0, 1), align="center", edge="nan").tolist()[1:] == [[None, 5, 5, 5], [None, 5, 5, 4]], "masked")
check(gpuenv.maximum(masked, 2, axes=(0, 1))[1, 2] == 10, "masked")
check_refused("axes", globals())

# ---- SciPy

with needed_modules():
    import scipy.ndimage

FILTERS = ["minimum_filter", "maximum_filter"]
MORPHOLOGY = ["grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat", "black_tophat", "morphological_gradient"]
MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]
with_axes = "axes" in inspect.signature(scipy.ndimage.minimum_filter).parameters


def draw(name, shape):
    size = [int(rng.integers(1, 6)) for _ in shape]
    origin = [int(rng.integers(-((n - 1) // 2), (n - 1) // 2 + 1)) for n in size]
    options = {"size": size, "origin": origin, "cval": int(rng.integers(0, 2)), "mode": [str(rng.choice(MODES)) for _ in shape]}
    kind = rng.integers(5)
    if kind == 0:
        options = {"size": size[0], "mode": options["mode"][0]}
    if kind == 1:
        options["footprint"] = np.ones(options.pop("size"))
    if kind == 2:
        options["output"] = str(rng.choice(["f4", "f8"]))
    if kind == 3 and name in MORPHOLOGY:
        options = {"structure": np.zeros(size), "mode": options["mode"][0], "origin": origin}
    return options


for _ in range(arrays):
    shape = [int(rng.integers(1, 12)) for _ in range(rng.integers(1, 4))]
    x = samples(rng, shape, rng.choice("? i1 u1 i2 u2 i4 u4 f4 f8".split()))
    gpuenv._boxes._BAND = rng.choice([1, 64, 1 << 22])
    for name in FILTERS + MORPHOLOGY:
        options = draw(name, shape)
        call = lambda module, x=x: getattr(module, name)(x, **options)
        try:
            expected = call(scipy.ndimage)
        except TypeError as error:  # what NumPy cannot subtract
            check(raises(type(error), call, gpuenv.scipy), name, x.dtype, options)
            continue
        check(same(call(gpuenv.scipy), expected), name, x.dtype, shape, options)
        out = np.empty(shape, expected.dtype)
        options["output"] = out
        check(call(gpuenv.scipy) is out and same(out, call(scipy.ndimage)), name, "output", x.dtype, shape, options)
    for name in FILTERS:
        a, options = x.copy(), {"size": 3, "axes": 0}
        expected = getattr(gpuenv.scipy, name + "1d")(x, 3, 0)
        check(same(getattr(gpuenv.scipy, name)(a, output=a, **options), expected), "in place, one axis")
        if with_axes:
            check(same(getattr(scipy.ndimage, name)(x, **options), expected), "axes of SciPy")

x = rng.standard_normal((5, 6))
check(same(gpuenv.scipy.minimum_filter(x, 1), x) and gpuenv.scipy.minimum_filter(x, 1) is not x, "a size of 1")
check_refused("scipy", globals())
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    gpuenv.scipy.grey_closing(x, size=2, footprint=np.ones((2, 2)))
check(len(told) == 1 and told[0].filename == __file__, "one warning, at the caller", told)

with tempfile.TemporaryDirectory() as folder:
    mapped = [np.memmap(f"{folder}/{i}", np.uint8, "w+", shape=(900, 1000)) for i in range(2)]
    mapped[0][:] = rng.integers(0, 200, mapped[0].shape)
    tracemalloc.start()
    result = gpuenv.maximum(mapped[0], (3, 3), axes=(0, 1), align="center", out=mapped[1])
    check(result is mapped[1] and tracemalloc.get_traced_memory()[1] < 100_000, "files need no memory", tracemalloc.get_traced_memory())
    check(same(np.array(result), gpuenv.maximum(np.array(mapped[0]), (3, 3), axes=(0, 1), align="center")), "files")

finish()
