# SPDX-License-Identifier: MIT
"""minmax() and its family against NumPy: random arrays of all types, arrangements and options; then special cases.

    family.py PACKAGE_DIR [ARRAYS]
"""

from package import *
from harness import argument, check, finish

rng = np.random.default_rng(5)
arrays = argument(2, 400)


def random_case():
    dimensions = int(rng.integers(1, 6))
    shape = [int(rng.integers(1, 60 if dimensions < 3 else 8)) for _ in range(dimensions)]
    if rng.random() < 0.05:
        shape[rng.integers(dimensions)] = 0
    x = strided(rng, samples(rng, shape, rng.choice(DTYPES), rng.choice([0, 0.05, 0.5])))
    axis = int(rng.integers(-dimensions, dimensions))
    n = shape[axis]
    w = rng.integers(1, n + 3) if rng.random() < 0.8 else rng.integers(1, 3 * n + 5)
    return x, draw_count(rng, draw_options(rng, w, axis, [1, 1, 2, 7]))


def result_type(x, options):
    if (options["edge"] == "nan" or "min_count" in options) and x.dtype.kind in "biu":
        return np.dtype("f4" if x.dtype.itemsize < 4 else "f8")
    return x.dtype.newbyteorder("=")


with np.errstate(all="ignore"):
    for _ in range(arrays):
        x, options = random_case()
        dtype = result_type(x, options)
        make = windows(x, **options)
        lo, hi = make(smallest, dtype), make(largest, dtype)
        words = (x.dtype, x.shape, x.strides, options)
        got = gpuenv.minmax(x, **options, threads=int(rng.integers(1, 4)))
        check(same(got[0], lo) and same(got[1], hi), "minmax", *words)
        which = rng.integers(5)
        if which == 0:
            check(same(gpuenv.minimum(x, **options), lo), "minimum", *words)
        elif which == 1:
            check(same(gpuenv.maximum(x, **options), hi), "maximum", *words)
        else:
            kind = "f4" if x.dtype.itemsize < 4 or x.dtype.str[1:] == "f4" else "f8"
            wide = lo.astype("f8"), hi.astype("f8")
            if x.dtype.itemsize < 8 or x.dtype.kind == "f":
                function, expected = {
                    2: (gpuenv.ptp, wide[1] - wide[0]),
                    3: (gpuenv.mid, wide[0] / 2 + wide[1] / 2),
                    4: (gpuenv.absmax, np.maximum(abs(wide[0]), abs(wide[1]))),
                }[int(which)]
                got = function(x, **options)
                check(got.dtype == kind, function.__name__, got.dtype, *words)
                check(np.allclose(got, expected, rtol=1e-6, equal_nan=True), function.__name__, *words)
        # Results into arrays of the caller, which may be anywhere.
        room = tuple(strided(rng, np.zeros(lo.shape, dtype)) for _ in range(2))
        if min(lo.shape, default=0) > 0:
            back = gpuenv.minmax(x, **options, out=room)
            check(back[0] is room[0] and back[1] is room[1], "out is given back", *words)
            check(same(room[0], lo) and same(room[1], hi), "out", [a.strides for a in room], *words)

# ---- arrays that several threads share


def doubled(x, w, reduce):
    """Whole windows along the last axis, by windows of half the length."""
    whole, length = x, 1
    while 2 * length <= w:
        whole = reduce(whole[..., :-length], whole[..., length:])
        length *= 2
    count = x.shape[-1] - w + 1
    return reduce(whole[..., :count], whole[..., w - length : w - length + count])


for _ in range(arrays // 40):
    dimensions = int(rng.integers(1, 4))
    shape = [int(rng.integers(1, 12)) for _ in range(dimensions)]
    axis = int(rng.integers(dimensions))
    shape[axis] = n = int(rng.integers(1 << 16, 1 << 18)) // shape[0] + 100
    x = strided(rng, samples(rng, shape, rng.choice(DTYPES), rng.choice([0, 0.0001])))
    w = int(rng.choice([rng.integers(1, 70), rng.integers(1, n)]))
    lo, hi = gpuenv.minmax(x, w, axis=axis)
    xs = np.moveaxis(x, axis, -1)
    native = xs.astype(x.dtype.newbyteorder("="))
    for got, reduce in ((lo, np.minimum), (hi, np.maximum)):
        expected = np.moveaxis(doubled(native, w, reduce), -1, axis)
        check(same(got, expected), "large", x.dtype, x.shape, x.strides, axis, w)
    if w < 20:
        view = np.lib.stride_tricks.sliding_window_view(native, w, axis=-1)
        check(same(np.moveaxis(hi, axis, -1), view.max(-1)), "sliding_window_view", x.dtype, x.shape, axis, w)

# ---- types

x = np.arange(10)
for dtype in DTYPES:
    lo, hi = gpuenv.minmax(x.astype(dtype), 3)
    check(lo.dtype == np.dtype(dtype).newbyteorder("="), "dtype", dtype, lo.dtype)
check(gpuenv.maximum(x, 3, edge="nan").dtype == "f8", "a type that depends on no length, and not on where windows are")
check(gpuenv.absmax(np.array([3 + 4j, 1, 0]), 2).tolist() == [5, 1], "complex128")
check(gpuenv.minimum(np.array([3 + 4j, 1, 0], "c8"), 2).dtype == "f4", "complex64")
check(gpuenv.ptp(np.array([2**63 - 1, -(2**63)]), 2).tolist() == [2.0**64], "int64 range")
check_refused("types", globals())

# ---- what is no ndarray

check(gpuenv.maximum([3, 1, 2], 2).tolist() == [3, 2], "a list")
check(gpuenv.maximum(memoryview(b"\3\1\2"), 2).tolist() == [3, 2], "a buffer")
check(gpuenv.maximum(np.matrix([[3, 1, 2]]), 2).tolist() == [[3, 2]], "a matrix")
check(type(gpuenv.maximum(x.view(type("mine", (np.ndarray,), {})), 2)) is np.ndarray, "a subclass")


class Tensors:
    """A library of its own, by DLPack alone."""

    __module__ = "tensors"

    def __init__(self, array, device=(1, 0)):
        self.array, self.device, self.dtype = array, device, array.dtype

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


sys.modules["tensors"] = type("tensors", (), {"from_dlpack": Tensors})
for array in [np.arange(6.0), np.arange(24, dtype="i2").reshape(2, 3, 4)[::-1, :, ::2], np.zeros((3, 0)), np.arange(5) * 1j]:
    got = gpuenv.maximum(Tensors(array), 2)
    check(type(got) is Tensors and same(got.array, gpuenv.maximum(array, 2)), "DLPack", array.shape)
room = Tensors(np.zeros(5))
check(gpuenv.maximum(np.arange(6.0), 2, out=room) is room and room.array.tolist() == [1, 2, 3, 4, 5], "DLPack for results")
device = type("device", (), {"__cuda_array_interface__": {}})()

# ---- arguments

check(gpuenv.minmax(w=2, x=x)[0].tolist() == list(range(9)), "names")
check(gpuenv.minmax(x, 2**70)[0].shape == (0,), "a window of 2^70")
check(gpuenv.minimum(x, 2**70, align="center").tolist() == [0] * 10, "a centered window of 2^70")
check(gpuenv.minimum(x, np.int8(2), hop=2**70).tolist() == [0], "a hop of 2^70")
check_refused("arguments", globals())
check(gpuenv.minmax(x, 3, stream=None)[0].size == 8, "stream")

gaps = np.array([1, np.nan, 3, 2])
for got, expected in [
    (gpuenv.maximum(gaps, 2, min_count=1), [1, 3, 3]),
    (gpuenv.maximum(gaps, 2, min_count=1, nan="propagate"), [np.nan, np.nan, 3]),
    (gpuenv.maximum(gaps, 3, align="causal", min_count=2), [np.nan, np.nan, 3, 3]),
    (gpuenv.minmax(gaps, 3, times=[0, 1, 2, 9], min_count=2)[1], [np.nan, np.nan, 3, np.nan]),
    (gpuenv.maximum([5, 6, 7], 1, times=[0, 1, 2], closed="left"), [np.nan, 5, 6]),
    (gpuenv.maximum([5, 6, 7], 1, times=[0, 0, 1], closed="left"), [np.nan, np.nan, 6]),
    (gpuenv.minimum([5, 6, 7], 2, times=[0, 1, 1], closed="neither"), [np.nan, 5, 5]),
]:
    check(same(got, np.array(expected, "f8")), "min_count, closed", expected, got)

# ---- results that overlap

for arrange in [lambda a: a, lambda a: a[::-1], lambda a: a.reshape(2, 500), lambda a: a.astype("f4")]:
    a = arrange(rng.standard_normal(1000))
    expected = gpuenv.maximum(a.copy(), 5, align="causal")
    check(np.array_equal(gpuenv.maximum(a, 5, align="causal", out=a), expected), "in place")
    check(np.array_equal(a, expected), "in place")
a = rng.standard_normal(1000)
expected = gpuenv.maximum(a.copy(), 5)
check(np.array_equal(gpuenv.maximum(a, 5, out=a[:996]), expected), "the front of the input")
a = rng.standard_normal((1000, 2))
expected = gpuenv.maximum(a[:, 0].copy(), 5, align="center")
check(np.array_equal(gpuenv.maximum(a[:, 0], 5, align="center", out=a[:, 1]), expected), "a column beside the input")
pair = np.zeros((996, 2))
lo, hi = gpuenv.minmax(a[:, 0], 5, out=(pair[:, 0], pair[:, 1]))
check(np.array_equal(pair[:, 1], gpuenv.maximum(a[:, 0], 5)), "results side by side")
folded = np.lib.stride_tricks.as_strided(np.zeros(1), (996,), (0,))
check_refused("overlap", globals())
check(gpuenv.maximum([300, -300, 5], 1, out=np.zeros(3, "i1")).tolist() == [127, -128, 5], "results are clipped")

# ---- no copies

big = np.broadcast_to(np.float32(2), (2**16, 2**10))
check(gpuenv.maximum(big, 3, axis=0, hop=2**16).shape == (1, 2**10), "an array that is not in memory")
frozen = np.arange(10.0)
frozen.flags.writeable = False
check(gpuenv.maximum(frozen, 2).sum() == 45, "read-only")
check(gpuenv.maximum(np.zeros((2,) * 20 + (5,)), 2, axis=-1).shape == (2,) * 20 + (4,), "20 dimensions")

# ---- zoom

for n in (1, 3, 10, 11):
    lo, hi = gpuenv.zoom(x, n)
    check(lo.tolist() == [int(x[k : k + n].min()) for k in range(0, 10, n)], "zoom", n)
    check(hi.tolist() == [int(x[k : k + n].max()) for k in range(0, 10, n)], "zoom", n)

rows = np.random.default_rng(7).standard_normal((5000, 3)).astype("f4")
rows[17, 1] = np.nan
for n in (1, 7, 64, 4096, 9999):
    for y in (rows, rows.astype("f8"), np.asfortranarray(rows), rows[::-1], np.nan_to_num(rows * 1000).astype("i2")):
        s = gpuenv.stats(y, axis=0, every=n)
        for nan in ("omit", "propagate"):
            spoilt = (s.nans > 0).T if nan == "propagate" else (s.nans == s.size).T
            got = gpuenv.zoom(y, n, axis=0, nan=nan, emit=("mean", "rms", "count", "max"), threads=2)
            for result, due in zip(got, (s.mean, s.rms, s.size - s.nans, s.max)):
                if result.dtype.kind == "f":
                    due = np.where(spoilt, np.nan, due.T).T
                check(np.array_equal(result.T, due, equal_nan=result.dtype.kind == "f"), "zoom's means", n, y.dtype, nan)
            check([result.dtype for result in got] == [np.float64, np.float64, np.int64, y.dtype], "types of means")
check(gpuenv.zoom(x, 4, emit="rms").shape == (3,) and len(gpuenv.zoom(x, 4, emit="min,max,rms")) == 3, "emit")
out = np.empty(3, "f4"), np.empty(3, "i4"), np.empty(3)
check(all(map(np.shares_memory, gpuenv.zoom(x, 4, emit=["mean", "count", "mid"], out=out), out)), "zoom into arrays")
check(out[1].tolist() == [4, 4, 2] and out[0][0] == np.float32(x[:4].mean()), "results of zoom into arrays")
check_refused("emit", globals())
check(len(gpuenv.zoom(x, 4, emit="min , mean")) == 2, "blanks in emit")
for word, here in [("window", "here it is w"), ("center", "align='center'"), ("dim", "axis"), ("bla", "'bla'")]:
    said = raises(TypeError, gpuenv.maximum, x, 2, **{word: 1})
    check(said.endswith(here), "names of arguments elsewhere", said)
for wrong in ([1, None], (1, None), [1, "a"]):
    check("object" in raises(TypeError, gpuenv.maximum, wrong, 1) or "<U" in raises(TypeError, gpuenv.maximum, wrong, 1), wrong)

finish()
