# SPDX-License-Identifier: MIT
"""Calls of the Python package, and a line with what came of each: arrays.py PACKAGE_DIR KIND SEED COUNT

The calls depend on the arguments alone. run.py compares what two packages print. KIND is a function below; `device`
needs the package with an emulated device."""

import hashlib
import sys
import warnings

sys.path.insert(1, __file__.rpartition("/")[0] + "/../python")
kind, seed, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
if kind == "device":
    from fakes import *

    sys.modules.update(cupy=cupy, torch=torch)
else:
    from package import *
with needed_modules():
    import pandas

FAMILY = ["minimum", "maximum", "absmax", "ptp", "mid", "minmax"]


def digest(result):
    """Type, shape and values. Which NaN it is, is nobody's promise."""
    if isinstance(result, (tuple, list)):
        return [digest(one) for one in result]
    if isinstance(result, (pandas.Series, pandas.DataFrame)):
        return type(result).__name__, digest(result.index.to_numpy()), digest(result.to_numpy())
    x = np.asarray(result)
    if x.dtype.kind in "fc":
        x = np.where(np.isnan(x), np.array(np.nan, x.dtype), x)
    return f"{x.dtype} {x.shape} {hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()[:16]}"


def arrange(rng, dtypes, dimensions=4):
    shape = [int(rng.integers(0, 60 if dimensions < 3 else 8)) for _ in range(rng.integers(1, dimensions))]
    if rng.random() < 0.1:
        shape = [int(rng.integers(1, 4)), int(rng.integers(1, 200_000))]
    x = strided(rng, samples(rng, shape, rng.choice(dtypes), rng.choice([0, 0.05, 0.5])))
    return x, int(rng.integers(-x.ndim, x.ndim))


def width(rng, n):
    return rng.integers(1, n + 3) if rng.random() < 0.8 else rng.integers(1, 3 * n + 5)


def family(rng):
    x, axis = arrange(rng, DTYPES + ["c8", "c16"])
    options = draw_options(rng, width(rng, x.shape[axis]), axis, [1, 1, 2, 7])
    name = str(rng.choice(FAMILY))
    options["threads"] = int(rng.integers(0, 65)) or None
    yield name, x.dtype, x.shape, x.strides, options
    yield getattr(gpuenv, name)(x, **options)


def zoom(rng):
    x, axis = arrange(rng, DTYPES)
    n = int(width(rng, x.shape[axis]))
    yield x.dtype, x.shape, axis, n
    yield gpuenv.zoom(x, n, axis=axis)


def stats(rng):
    x, axis = arrange(rng, DTYPES + ["c8", "c16"])
    every = int(rng.choice([1, 7, 4095, 4096, 4097])) if rng.random() < 0.5 else None
    yield x.dtype, x.shape, axis, every
    found = gpuenv.stats(x, axis=axis, every=every)
    yield [getattr(found, name) for name in "size nans min max abs argmin argmax argabs sum mean rms".split()]


def streams(rng):
    x, _ = arrange(rng, DTYPES, 3)
    n = x.shape[-1]
    options = draw_options(rng, width(rng, n), 0, [1, 1, 3])
    del options["axis"]
    yield x.dtype, x.shape, options
    stream = gpuenv.Stream(**options)
    cuts = sorted(rng.integers(0, n + 1, 4))
    parts = [stream.push(x[..., begin:end]) for begin, end in zip([0, *cuts], [*cuts, n])]
    yield [*parts, stream.finish()]


def scipy(rng):
    x, axis = arrange(rng, DTYPES)
    size = int(width(rng, x.shape[axis]))
    options = {
        "size": size, "axis": axis, "mode": str(rng.choice(["reflect", "constant", "nearest", "mirror", "wrap"])),
        "cval": float(rng.choice([0, 1, -1, 0.5, np.nan])), "origin": int(rng.integers(-(size // 2), size - size // 2)),
    }  # fmt: skip
    name = str(rng.choice(["minimum_filter1d", "maximum_filter1d"]))
    yield name, x.dtype, x.shape, x.strides, options
    yield getattr(gpuenv.scipy, name)(x, **options)


def bottleneck(rng):
    x, axis = arrange(rng, DTYPES)
    n = x.shape[axis]
    options = {"window": int(rng.integers(1, n + (2 if rng.random() < 0.1 else 1))) if n else 1, "axis": axis}
    options["min_count"] = int(rng.integers(1, options["window"] + 1)) if rng.random() < 0.5 else None
    name = str(rng.choice(["move_min", "move_max"]))
    yield name, x.dtype, x.shape, x.strides, options
    yield getattr(gpuenv.bottleneck, name)(x, **options)


def rolling(rng):
    x = samples(rng, [int(rng.integers(0, 300))], rng.choice(["i2", "i8", "f4", "f8"]), 0.1)
    index = pandas.Timestamp("2026-03-01") + pandas.to_timedelta(np.cumsum(rng.integers(1, 50, len(x))), "s")
    w = int(rng.integers(1, 30))
    options = {"min_periods": int(rng.integers(1, w + 1))} if rng.random() < 0.5 else {}
    series = pandas.Series(x, index)
    if rng.random() < 0.3:
        series = pandas.DataFrame({"a": series, "b": series[::-1].to_numpy()})
    name = str(rng.choice(["rolling_min", "rolling_max"]))
    yield name, x.dtype, x.shape, w, options
    yield getattr(gpuenv, name)(series, w, **options)


def device(rng):
    """Results go into an array that is there, so that no library has to make one."""
    emu.emu_set_order(int(rng.integers(3)), int(rng.integers(1000)))
    shape = [int(rng.integers(1, 60)) for _ in range(rng.integers(1, 4))]
    x = strided(rng, samples(rng, shape, rng.choice("? i1 u1 i2 u2 i4 u4 f2 f4 f8 c8 c16".split())), 5)
    options = draw_options(rng, rng.integers(1, x.shape[-1] + 1), -1, [1, 1, 3])
    name = str(rng.choice(FAMILY[:5]))
    yield name, x.dtype, x.shape, x.strides, options
    due = getattr(gpuenv, name)(x, **options)
    out = Exporter(np.zeros_like(due))
    getattr(gpuenv, name)(Exporter(x), out=out, **options)
    yield [due, out.get()]


warnings.simplefilter("ignore")
for number in range(seed, seed + count):
    call = globals()[kind](np.random.default_rng(number))
    words = next(call)
    try:
        came = digest(next(call))
    except Exception as raised:
        came = f"{type(raised).__name__}: {raised}"
    print(f"{number}:", *words, "->", came)
