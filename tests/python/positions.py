# SPDX-License-Identifier: MIT
"""gpuenv.argmin and argmax against a naive loop, and bottleneck's positions against bottleneck, where it is installed.

    positions.py PACKAGE_DIR [ARRAYS]
"""

from package import *
from harness import argument, check, finish

rng = np.random.default_rng(12)
arrays = argument(2, 300)


def few(shape, dtype):
    """Samples of which many are equal."""
    with np.errstate(all="ignore"):
        x = rng.integers(0, 5, shape).astype(dtype)
    if x.dtype.kind == "f":
        x[rng.random(shape) < 0.1] = -0.0
        x[rng.random(shape) < rng.choice([0, 0.1, 0.6])] = np.nan
    return x


def naive(x, w, axis, align, edge, hop, nan, highest, last, min_count=0):
    before, after = REACH[align](w)
    keys = np.moveaxis(x, axis, -1).astype("f8")
    gone = np.isnan(keys)
    # -0 below +0.
    order = np.where(gone, 0, np.sign(keys) + keys * 4 + np.where(np.signbit(keys) & (keys == 0), -0.5, 0))
    if highest:
        order = -order
    order = np.where(gone, np.inf, order)
    n = keys.shape[-1]
    ends = outputs(n, w, align, hop)
    got = np.full(keys.shape[:-1] + (len(ends),), -1, "i8")
    for i, k in enumerate(ends):
        lo, hi = max(0, k - before), min(n, k + after + 1)
        part, none = order[..., lo:hi], gone[..., lo:hi]
        at = hi - 1 - part[..., ::-1].argmin(-1) if last else lo + part.argmin(-1)
        spoilt = none.all(-1) if nan == "omit" else none.any(-1)
        spoilt = spoilt | ((~none).sum(-1) < min_count) | (edge == "nan" and (k - before < 0 or k + after >= n))
        got[..., i] = np.where(spoilt, -1, at)
    return np.moveaxis(got, -1, axis)


for _ in range(arrays):
    shape = [int(rng.integers(1, 40)) for _ in range(int(rng.integers(1, 4)))]
    axis = int(rng.integers(-len(shape), len(shape)))
    options = draw_count(rng, draw_options(rng, rng.integers(1, shape[axis] + 3), axis, [1, 1, 3, 70]))
    x = strided(rng, few(shape, rng.choice(DTYPES)))
    for name in ("argmin", "argmax"):
        last = bool(rng.integers(2))
        due = naive(x, highest=name == "argmax", last=last, **options)
        got = getattr(gpuenv, name)(x, last=last, threads=int(rng.integers(1, 4)), **options)
        check(same(got, due), name, x.dtype, x.shape, options, last)
        room = np.empty_like(due)
        check(getattr(gpuenv, name)(x, last=last, out=room, **options) is room and same(room, due), "out", name, options)
        if rng.random() < 0.3:
            masked = np.ma.array(x, mask=rng.random(shape) < 0.2)
            floats = np.where(masked.mask | (x != x), np.nan, x.astype("f8"))
            due = naive(floats, highest=name == "argmax", last=last, **{**options, "nan": "omit"})
            got = getattr(gpuenv, name)(masked, last=last, **{**options, "nan": "omit"})
            check(same(got, due), "masked", name, x.dtype, options, last, masked, got, due)
            dates = np.where(np.isnan(floats), np.datetime64("NaT", "s"), np.nan_to_num(floats).astype("i8").view("M8[s]"))
            floats[floats == 0] = 0.0
            due = naive(floats, highest=name == "argmax", last=last, **options)
            check(same(getattr(gpuenv, name)(dates, last=last, **options), due), "dates", name, options)

x = np.array([3, 1, 4, 1, 5, 9, 2, 6], "f4")
lo, at = gpuenv.zoom(x, 3, emit="min,argmin")
check(same(lo, np.array([1, 1, 2], "f4")) and same(at, np.array([1, 3, 6])), "zoom", lo, at)
check(same(gpuenv.argmax(x, 10, times=[0, 1, 5, 10, 30, 31, 39, 60]), np.array([0, 0, 2, 2, 4, 5, 5, 7])), "times")
check_refused("positions", globals())
# As long as many threads need, of a piece over and over.
piece = few(3000, "f4")
due = naive(np.tile(piece, 2), 7, -1, "valid", "shrink", 1, "propagate", True, False)[:3000]
due = np.where(due < 0, due, due + 3000 * np.arange(100)[:, None]).ravel()[:-6]
check(same(gpuenv.argmax(np.tile(piece, 100), 7), due), "many threads")

# Distances from the right end, along each axis of arrays in both orders, some of them longer than a block.
for order, shape in itertools.product("CF", ((300,), (3, 200), (2, 70, 5), (0, 4), (4, 0))):
    x = np.asarray(rng.integers(1, 9, shape), order=order)
    for axis, length in enumerate(shape):
        for w in {1, 2, length // 2, length} & set(range(1, length + 1)):
            at = gpuenv.argmin(x, w, axis=axis, align="causal", min_count=w, last=True)
            due = np.where(at < 0, np.nan, np.arange(length).reshape([-1] + [1] * (len(shape) - 1 - axis)) - at)
            for dtype, kind in zip(("f2", "f4", "f8", "i1", "u4"), ("f2", "f4", "f8", "f8", "f8")):
                check(same(gpuenv.bottleneck.move_argmin(x.astype(dtype), w, axis=axis), due.astype(kind)), shape, axis, order, w, dtype)
for dtype in "f2", "f4", "f8":
    zeros = strided(rng, np.zeros((3, 40), dtype))
    zeros[2, 7] = -0.0
    check((gpuenv.bottleneck.move_argmin(zeros, 40)[:, -1] == 0).all(), "a zero with a sign is no less", dtype)

try:
    import bottleneck
except ImportError:
    print("without bottleneck")
else:
    for _ in range(arrays):
        shape = [int(rng.integers(1, 30)) for _ in range(int(rng.integers(1, 4)))]
        axis = int(rng.integers(-len(shape), len(shape)))
        x = few(shape, rng.choice("? i1 u2 i4 i8 f2 f4 f8".split()))
        if x.dtype.kind == "f":
            x[rng.random(shape) < rng.choice([0, 0.3])] = rng.choice([np.inf, -np.inf])
        x = strided(rng, x)
        w = int(rng.integers(1, shape[axis] + 1))
        count = None if rng.random() < 0.3 else int(rng.integers(1, w + 1))
        for name in ("move_argmin", "move_argmax"):
            due = getattr(bottleneck, name)(np.ascontiguousarray(x), w, count, axis)
            got = getattr(gpuenv.bottleneck, name)(x, w, count, axis)
            check(same(got, due), name, x.dtype, x.shape, w, count, axis)
            got = getattr(gpuenv.bottleneck, name)(x.astype(x.dtype.newbyteorder()), w, count, axis)
            swapped = due.dtype.newbyteorder() if x.dtype.kind == "f" else due.dtype
            check(got.dtype == swapped and same(got.astype(due.dtype), due), "swapped", name, x.dtype, x.shape, w, count, axis)
finish()
