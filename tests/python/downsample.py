"""downsample() against a plain loop, and against tsdownsample where that is installed.

    downsample.py PACKAGE_DIR [ARRAYS]
"""

from package import *
from harness import argument, check, finish

try:
    import tsdownsample
except ImportError:
    tsdownsample = None
rng = np.random.default_rng(8)


def first_of(x, first, find):
    """NaN lose; a block of nothing else gives its first sample."""
    there = np.flatnonzero(x == x)
    return first + (int(there[find(x[there])]) if there.size else 0)


def plain(x, n_out):
    if len(x) <= n_out:
        return list(range(len(x)))
    found, first = [], 0
    for k in range(1, n_out // 2 + 1):
        end = int((len(x) - 1) / (n_out // 2) * k) + 1
        found += sorted(first_of(x[first:end], first, find) for find in (np.argmin, np.argmax))
        first = end
    return found


for _ in range(argument(2, 300)):
    n = int(rng.integers(0, rng.choice([5, 40, 3000])))
    dtype = np.dtype(rng.choice(DTYPES))
    x = samples(rng, n, dtype, rng.choice([0, 0.1, 0.6]))
    if dtype.kind == "f" and rng.random() < 0.5:
        x = x.round()  # equals
    if rng.random() < 0.1:
        x[:] = x[:1]
    n_out = 2 * int(rng.integers(1, n + 3))
    got = gpuenv.downsample(strided(rng, x), n_out)
    check(got.dtype == np.intp and got.tolist() == plain(x, n_out), "positions", dtype, n, n_out)
    if tsdownsample and dtype.isnative and dtype != "f2" and not (dtype.kind == "f" and np.isinf(x).any()):
        check(np.array_equal(got, tsdownsample.MinMaxDownsampler().downsample(x, n_out=n_out)), "tsdownsample", dtype, n, n_out)

x = rng.standard_normal(100)
for wrong, kind in [((x, 0), ValueError), ((x, -2), ValueError), ((x, 3), ValueError), ((x, 2.0), TypeError), ((x.reshape(2, 50), 4), ValueError),
                    ((x * 1j, 4), TypeError), (("text", 4), TypeError)]:  # fmt: skip
    check(raises(kind, gpuenv.downsample, *wrong), wrong)
finish()
