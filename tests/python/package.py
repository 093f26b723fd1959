# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: the package itself, and what NumPy makes of windows."""

import itertools
import pathlib
import sys

sys.path.insert(1, __file__.rpartition("/")[0] + "/..")
from harness import PROGRAM, check, needed_modules, skip  # the folder of the package stands where a program does

sys.path.insert(1, PROGRAM)
with needed_modules():
    import numpy as np
try:
    import gpuenv
except ImportError as missing:
    skip(f"{missing}: the package was not built for {sys.executable}")

DTYPES = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 >i2 >u4 >i8 >f4 >f8".split()
REACH = {
    "valid": lambda w: (0, w - 1),
    "causal": lambda w: (w - 1, 0),
    "center": lambda w: (w // 2, (w + 1) // 2 - 1),
    "forward": lambda w: (0, w - 1),
}


def draw_options(rng, w, axis, hops):
    """Of a call, any way but for the window and the axis."""
    return {
        "w": int(w), "axis": axis, "align": str(rng.choice(list(REACH))), "edge": str(rng.choice(["shrink", "nan"])),
        "hop": int(rng.choice(hops)), "nan": str(rng.choice(["propagate", "omit"])),
    }  # fmt: skip


def draw_count(rng, options):
    """A least number of samples, now and then."""
    return {**options, "min_count": int(rng.integers(1, options["w"] + 1))} if rng.random() < 0.3 else options


def outputs(n, w, align, hop):
    return range(0, max(0, n - w + 1) if align == "valid" else n, hop)


def windows(x, w, axis=-1, align="valid", edge="shrink", hop=1, nan="propagate", min_count=0):
    """Each window, as the slices of a naive loop: for results a function of what a window holds."""
    before, after = REACH[align](w)
    xs = np.moveaxis(x, axis, -1)
    n = xs.shape[-1]

    def results(reduce, dtype):
        got = np.empty(xs.shape[:-1] + (len(outputs(n, w, align, hop)),), dtype)
        for i, k in enumerate(outputs(n, w, align, hop)):
            if edge == "nan" and (k - before < 0 or k + after >= n):
                got[..., i] = np.nan
            else:
                part = xs[..., max(0, k - before) : k + after + 1]
                got[..., i] = reduce(part, nan)
                if min_count:
                    got[..., i][(part == part).sum(-1) < min_count] = np.nan
        return np.moveaxis(got, -1, axis)

    return results


def smallest(part, nan):
    return np.fmin.reduce(part, axis=-1) if nan == "omit" else np.minimum.reduce(part, axis=-1)


def largest(part, nan):
    return np.fmax.reduce(part, axis=-1) if nan == "omit" else np.maximum.reduce(part, axis=-1)


def samples(rng, shape, dtype, nans=0.0):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    x = rng.standard_normal(shape).astype(dtype)
    if nans:
        x[rng.random(shape) < nans] = np.nan
        x[rng.random(shape) < nans / 4] = np.inf
        x[rng.random(shape) < nans / 4] = -np.inf
    return x


def strided(rng, x, kinds=6):
    """The same values, arranged in another way. With five kinds, aligned."""
    kind = rng.integers(kinds)
    if kind == 1:
        backwards = (slice(None, None, -1),) * x.ndim
        return x[backwards].copy()[backwards]
    if kind == 2:
        return np.asfortranarray(x)
    if kind == 3 and x.ndim:
        return np.repeat(x, 2, axis=-1)[..., ::2]
    if kind == 4:
        order = rng.permutation(x.ndim)
        return np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
    if kind == 5:
        room = np.empty(x.nbytes + 1, "u1")[1:].view(np.dtype("V1"))
        unaligned = np.ndarray(x.shape, x.dtype, room.data)
        unaligned[...] = x
        return unaligned
    return x


def same(got, expected):
    return (
        got.dtype == expected.dtype.newbyteorder("=")
        and got.shape == expected.shape
        and np.array_equal(got, expected, equal_nan=expected.dtype.kind == "f")
    )


def raises(kind, function, *arguments, **named):
    """The text of the exception, or nothing if there is none of this kind."""
    try:
        function(*arguments, **named)
    except kind as raised:
        return str(raised) or "raised"
    except Exception as other:
        print(type(other), other)
    return ""


def check_refused(section, names):
    """Each row of a section of NAME.txt beside NAME.py: an exception, what its words have, and a call by names of the script."""
    text = pathlib.Path(names["__file__"]).with_suffix(".txt").read_text(encoding="utf-8")
    rows = [row for row in text.partition(f"==== {section}\n")[2].partition("====")[0].splitlines() if row and row[0] != "#"]
    check(rows, "no rows of", section)
    for kind, word, call in (row.split(" | ") for row in rows):
        said = raises(eval(kind), eval, call, names)
        check(said and word in said, call, said)
