# SPDX-License-Identifier: MIT
"""Streams against whole arrays, and statistics against those that the manual describes (tests/oracle/records.py).

    streams.py PACKAGE_DIR [ARRAYS]
"""

import threading
from concurrent.futures import ThreadPoolExecutor

from package import *
from harness import argument, check, finish

sys.path.insert(1, __file__.rpartition("/")[0] + "/../oracle")
from records import due, same_number

rng = np.random.default_rng(9)
arrays = argument(2, 150)

for _ in range(arrays):
    dimensions = int(rng.integers(1, 4))
    shape = [int(rng.integers(1, 5)) for _ in range(dimensions)]
    axis = int(rng.integers(-dimensions, dimensions))
    n = shape[axis] = int(rng.integers(0, 300))
    x = strided(rng, samples(rng, shape, rng.choice(DTYPES + ["c8"]), 0.05))
    options = draw_count(rng, draw_options(rng, rng.integers(1, 80 if rng.random() < 0.8 else 700), axis, [1, 1, 3, 50]))
    stream = gpuenv.Stream(**options)
    cuts = np.sort(rng.integers(0, n + 1, rng.integers(0, 6)))
    pieces = [stream.push(piece) for piece in np.split(x, cuts, axis)] + [stream.finish()]
    for i, whole in enumerate(gpuenv.minmax(x, **options)):
        check(same(np.concatenate([piece[i] for piece in pieces], axis), whole), x.dtype, shape, options, cuts)

stream = gpuenv.Stream(3)
check(stream.push([1, 2])[0].shape == (0,), "too few")
check(raises(TypeError, stream.push, [1.0]), "another type")
check(raises(ValueError, stream.push, [[1], [2]]), "another shape")
check(stream.finish()[0].shape == (0,) and stream.finish()[1].shape == (0,), "finished twice")
check(raises(ValueError, stream.push, [1]), "pushed after the end")
check(gpuenv.Stream(3).finish()[0].shape == (0,), "nothing pushed")
check_refused("streams", globals())
stream = gpuenv.Stream(2, nan="error")
stream.push([1.0, 2.0])
check("NaN" in raises(ValueError, stream.push, [3.0, np.nan]), "nan='error' later")
check(stream.push([3.0])[1].tolist() == [3], "what was refused was not taken")
for shape in [(0, 5), (2, 0, 5)]:
    stream = gpuenv.Stream(3, align="center")
    check(stream.push(np.zeros(shape, "i2"))[0].shape == shape[:-1] + (4,), "no rows", shape)
    lo, hi = stream.finish()
    check(lo.shape == shape[:-1] + (1,) and hi.dtype == "i2", "no rows", shape)

with gpuenv.Stream(3, nan="omit", axis=0) as stream:
    check(repr(stream) == "Stream(3, axis=0, nan='omit')", repr(stream))
    check(stream.push([1, 2, 3])[1].tolist() == [3], "a stream in a context")
check(raises(ValueError, stream.push, [1]) and stream.finish()[0].size == 0, "a stream after its context")
for shape, axis in [((6, 2, 3), 1), ((3, 5), 1), ((70, 4), 1), ((4, 0, 3), 2), ((2, 40000), -1)]:
    x = rng.standard_normal(shape)
    stream = gpuenv.Stream(2, axis=axis)
    pieces = [stream.push(piece) for piece in np.array_split(x, 2, axis)] + [stream.finish()]
    for side, whole in zip(zip(*pieces), gpuenv.minmax(x, 2, axis=axis)):
        check(same(np.concatenate(side, axis), whole), "pieces of many dimensions", shape, axis)

lo, hi = gpuenv.Stream(1, axis=1).push(np.full((5000, 3), 2, "u1").view("?").T)
check(lo.view("u1").max() == hi.view("u1").max() == 1, "bytes of bool that are not 1, in columns")

# A push that ends halfway has lost results: the stream says so, instead of going on with others.
stream = gpuenv.Stream(2, nan="error")
long = np.zeros((1 << 24) + 100, "f4")
long[-1] = np.nan
check("NaN" in raises(ValueError, stream.push, long), "a NaN after many samples")
check("interrupted" in raises(RuntimeError, stream.push, long[:5]), "a stream that lost results")

# Threads that share one are told, or take turns. Their first pushes meet where the stream is opened.
together = threading.Barrier(3)


class Meeting(np.ndarray):
    columns = property(lambda _: together.wait().columns)  # it has none: wait() returns an int


stream = gpuenv.Stream(100)
x = rng.standard_normal(300000).view(Meeting)


def push(_):
    try:
        return len(stream.push(x)[0])
    except RuntimeError:
        return 0


with ThreadPoolExecutor(3) as pool:
    answers = list(pool.map(push, range(60)))
check(sum(answers) == sum(300000 for a in answers if a) - 99, "threads that share a stream")

# ---- statistics

FIELDS = {"size": "frames", "nans": "nan", "min": "min", "max": "max", "abs": "abs", "sum": "sum", "mean": "mean",
          "rms": "rms", "argmin": "argmin", "argmax": "argmax", "argabs": "argabs"}


def worked_on(row):
    """The samples as statistics know them: in float32 where that holds them."""
    if row.dtype.itemsize == 8:
        return row.astype(row.dtype.newbyteorder("="))
    return row.astype("f4" if row.dtype.itemsize < 4 or row.dtype.kind == "f" else "f8")


for _ in range(arrays // 3):
    dimensions = int(rng.integers(1, 4))
    shape = [int(rng.integers(1, 8)) for _ in range(dimensions)]
    axis = int(rng.integers(-dimensions, dimensions))
    n = shape[axis] = int(rng.integers(1, 300))
    x = strided(rng, samples(rng, shape, rng.choice(DTYPES), rng.choice([0, 0.2])))
    got = gpuenv.stats(x, axis=axis)
    words = (x.dtype, shape, axis)
    check(np.asarray(got.min).dtype == np.asarray(got.max).dtype == x.dtype.newbyteorder("="), "type", *words)
    rows = np.moveaxis(x, axis, -1)
    for at in np.ndindex(rows.shape[:-1]):
        record = due(worked_on(rows[at]), 0, 0, 1, None)
        for field, name in FIELDS.items():
            value = np.asarray(getattr(got, field))[at].item()
            is_nan = isinstance(value, float) and np.isnan(value)
            nothing = is_nan or (value == -1 and name.startswith("arg"))
            check(same_number(None if nothing else value, record[name]), field, value, "not", record[name], *words)
    every = int(rng.integers(1, n + 3))
    blocks = gpuenv.stats(x, axis=axis, every=every)
    for b in range(-(-n // every)):
        one = gpuenv.stats(np.take(x, range(b * every, min(n, (b + 1) * every)), axis), axis=axis)
        alive = np.asarray(one.nans < one.size)
        check(np.array_equal(blocks.max[..., b], one.max, equal_nan=True) and
              np.array_equal(blocks.sum[..., b], one.sum, equal_nan=True), "every", every, *words)
        check(np.array_equal((blocks.argmax[..., b] - b * every)[alive], np.asarray(one.argmax)[alive]),
              "argmax", every, *words)
empty = gpuenv.stats(np.zeros(0))
check(empty.size == 0 and np.isnan(empty.min) and empty.sum == 0, "no samples", empty)
check(empty.argmin == empty.argmax == empty.argabs == -1, "no place", empty)
got = gpuenv.stats(np.array([[np.nan, np.nan], [2, np.nan]]))
check(got.argmax.tolist() == got.argmin.tolist() == [-1, 0], "the place of nothing", got)
check(gpuenv.stats(np.array([np.nan, np.nan, 5, 4]), every=2).argmax.tolist() == [-1, 2], "a block of nothing")
check(gpuenv.stats(np.zeros((3, 0))).size.tolist() == [0, 0, 0], "no samples in rows")
check(gpuenv.stats(np.zeros((0, 3))).size.shape == (0,), "no rows")
check(gpuenv.stats(np.array([2**64 - 1], "u8")).abs == 2**64 - 1, "u8")
check_refused("statistics", globals())
for values in gpuenv.stats(np.arange(24.0).reshape(4, 6), axis=0, every=3):
    check(values.flags.writeable and values.flags.c_contiguous and values.nbytes < 200, "arrays of their own", values.strides)

finish()
