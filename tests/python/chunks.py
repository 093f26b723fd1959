# SPDX-License-Identifier: MIT
"""Dask's map_overlap over chunks, on two processes and on the workers of a cluster; and over an array that is larger
than the memory that processes may use.

    chunks.py PACKAGE_DIR
"""

import multiprocessing
import os
import resource
from concurrent.futures import ProcessPoolExecutor

# The memory of its threads, where there are many processors, would be more than the limit.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from package import *
from harness import check, finish

with needed_modules():
    import dask.array


def main():
    rng = np.random.default_rng(3)
    refused()
    # One pool: its processes import all that there is once.
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        with dask.config.set(scheduler="processes", pool=pool):
            compare(rng)
    larger_than_memory()
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError as missing:
        print("not run on a cluster:", missing)
        finish()
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:
        with Client(cluster):
            compare(rng)
    finish()


def refused():
    """Chunks are not loaded without a word."""
    x = dask.array.from_array(np.arange(4.0), chunks=2).map_blocks(lambda _: 1 / 0, dtype="f8")
    for function, *arguments in (
        (gpuenv.maximum, 2),
        (gpuenv.zoom, 2),
        (gpuenv.stats,),
        (gpuenv.Stream(2).push,),
        (gpuenv.bottleneck.move_max, 2),
        (gpuenv.scipy.maximum_filter1d, 2),
        (gpuenv.scipy.white_tophat, 2),
    ):
        check("map_overlap" in raises(ValueError, lambda x: function(x, *arguments), x), function)
    check("map_overlap" in raises(ValueError, gpuenv.minmax, x.reshape(2, 2), 2, axes=(0, 1)), "boxes")
    check(same(gpuenv.maximum(Unchunked(), 2), np.array([2.0, 3.0])), "without chunks")


class Unchunked:
    """As an array of xarray has it, which may be of dask."""

    def __dask_graph__(self):
        return None

    def __array__(self, dtype=None):
        return np.array([1.0, 2.0, 3.0])


LIMIT = 300 << 20


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


def larger_than_memory():
    """A ramp, whose maxima are a ramp too."""
    n, w = 40_000_000, 50_001
    x = dask.array.arange(n, chunks=1_000_000, dtype="f8")
    check(x.nbytes > LIMIT, x.nbytes)
    y = x.map_overlap(gpuenv.maximum, depth=w // 2, boundary="none", dtype="f8", w=w, align="center", threads=1)
    right = (y == dask.array.minimum(x + w // 2, n - 1)).sum()
    check(right.compute(scheduler="processes", num_workers=2, initializer=limit_memory) == n, "larger than memory")


def compare(rng):
    for shape, chunks, axis, w in [
        ((300_000,), 70_000, 0, 1001),
        ((300_000,), 70_000, 0, 1000),
        ((40, 20_000), (13, 3000), 1, 2999),
        ((20_000, 6), (2500, 4), 0, 64),
    ]:
        x = rng.standard_normal(shape).astype("f4")
        x[tuple(rng.integers(0, n) for n in shape)] = np.nan
        whole = gpuenv.maximum(x, w, axis=axis, align="center")
        depth = {axis: w // 2}
        parts = dask.array.from_array(x, chunks=chunks).map_overlap(
            gpuenv.maximum, depth=depth, boundary="none", dtype=x.dtype, w=w, axis=axis, align="center", threads=1
        )
        check(parts.dtype == x.dtype, parts.dtype)
        check(np.array_equal(parts.compute(), whole, equal_nan=True), shape, chunks, axis, w)


if __name__ == "__main__":
    main()
