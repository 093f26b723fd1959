#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Arrays on a real device, of CuPy and PyTorch: results first, then how long they take. python.py PACKAGE_DIR [PART...]

Parts are the functions of that name, or of that kind, results or times, or all. Each stands alone: one that raises is a
failure, and the others go on. Exit status 1: something is wrong; 3: a bar is missed; 77: there is no CuPy, or no device
for it."""

import cProfile
import doctest
import pathlib
import re
import statistics
import sys
import threading
import time
import traceback
from functools import partial

sys.path.insert(1, sys.path[0] + "/../python")
from package import *
from harness import check, failures, finish

try:
    import cupy
    from cupyx.scipy import ndimage

    cupy.cuda.runtime.getDeviceCount()
except Exception as missing:
    skip("no CuPy with a device:", missing)
try:
    import torch

    if not torch.cuda.is_available():
        raise ImportError("PyTorch has no device")
except ImportError as missing:
    print("no PyTorch:", missing)
    torch = None

rng = np.random.default_rng(8)
missed = 0
kind = "results"  # of the parts that follow
began = time.perf_counter()


def part(function):
    if sys.argv[2:] and not {kind, function.__name__} & set(sys.argv[2:]):
        return
    before, start = failures(), time.perf_counter()
    try:
        function()
        cupy.cuda.runtime.deviceSynchronize()
    except Exception:
        check(False, function.__name__, traceback.format_exc())
    print(f"{function.__name__:30} {failures() - before} failed, {time.perf_counter() - start:.1f} s", flush=True)


def of_pytorch(function):
    if torch is None:
        print(f"{function.__name__:30} skipped: no PyTorch", flush=True)
    else:
        part(function)


def host(x):
    """On any device, as an array of NumPy."""
    return x.get() if isinstance(x, cupy.ndarray) else x.cpu().numpy()


def same_there(got, due):
    """PyTorch has no unsigned integers of 64 bits to compute with."""
    due = np.asarray(due)
    return same(host(got), due.astype("i8") if torch and isinstance(got, torch.Tensor) and due.dtype == "u8" else due)


# ---- results


class Interface:
    def __init__(self, x, stream=None):
        self.x = x
        self.__cuda_array_interface__ = {**x.__cuda_array_interface__, "version": 3, "stream": stream}


class Exporter:
    def __init__(self, x):
        self.x = x
        self.asked = []

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, stream=None):
        self.asked.append(stream)
        return self.x.__dlpack__(stream=stream)


TYPES = "? i1 u1 i2 u2 i4 u4 f2 f4 f8 c8 c16".split()
VALUES = "min max abs mean rms std count first last argmin argmax".split()


def draw_array():
    """An array in main memory, the same one of CuPy, and an axis."""
    shape = [int(rng.integers(1, 60)) for _ in range(rng.integers(1, 4))]
    axis = int(rng.integers(len(shape)))
    if rng.integers(3) == 0:
        shape[axis] = int(rng.integers(1, 200_000 // (np.prod(shape) // shape[axis])))
    x = samples(rng, shape, rng.choice(TYPES), rng.choice([0, 0.01]))
    y = cupy.asarray(x)
    kind = rng.integers(4)
    if kind < 2:
        step = int(rng.choice([-1, -2, 2]))
        return (x[..., ::step], y[..., ::step], axis) if kind else (x.T, y.T, x.ndim - 1 - axis)
    return x, y, axis


def draw_call(length, axis):
    """A function, and options for it."""
    kind = rng.integers(8)
    if kind == 0:
        return gpuenv.stats, {"axis": axis, "every": [None, None, 1, 100, 5000][rng.integers(5)]}
    if kind == 1:
        emit = ",".join(rng.choice(VALUES, 5, replace=False))
        return gpuenv.zoom, {"n": int(rng.choice([1, 8, 16, 17, 50, 100, 5000])), "axis": axis, "emit": emit,
                             "nan": str(rng.choice(["omit", "propagate"]))}  # fmt: skip
    function = [gpuenv.minmax, gpuenv.minimum, gpuenv.maximum, gpuenv.absmax, gpuenv.ptp, gpuenv.mid][kind - 2]
    return function, draw_options(rng, rng.integers(1, length + 5), axis, [1, 1, 5])


def all_of(results):
    return results if isinstance(results, tuple) else (results,)


def by_graph(call, change=lambda: None):
    """The results of a call that is captured, and run after a change."""
    cupy.cuda.runtime.deviceSynchronize()
    pool, stream = cupy.cuda.MemoryPool(), cupy.cuda.Stream(non_blocking=True)
    with stream, cupy.cuda.using_allocator(pool.malloc):
        call()
        stream.synchronize()
        stream.begin_capture()
        got = call()
        graph = stream.end_capture()
    change()
    cupy.cuda.runtime.deviceSynchronize()
    graph.launch(stream)
    stream.synchronize()
    return got


@part
def random_arrays():
    """Of all types, libraries and layouts, on streams and in graphs, against the same arrays in main memory."""
    stream = cupy.cuda.Stream(non_blocking=True)
    ways = ["CuPy", "out", "PyTorch", "interface", "DLPack", "stream", "graph"]
    for turn in range(5000):
        x, y, axis = draw_array()
        function, options = draw_call(x.shape[axis], axis)
        due = all_of(function(x, **options))
        way = ways[turn % len(ways)]
        if min(x.strides) < 0 or (way == "PyTorch" and (not torch or x.dtype.char in "HI")):
            way = {"PyTorch": "stream", "DLPack": "interface"}.get(way, way)  # neither has strides below 0 right
        if way == "out" and "w" in options:
            options["out"] = tuple(cupy.empty(d.shape, d.dtype) for d in due)
        others = {"PyTorch": lambda y: torch.as_tensor(y, device="cuda"), "interface": Interface, "DLPack": Exporter}
        z = others.get(way, lambda y: y)(y)
        if way == "stream":
            options["stream"] = stream
        got = by_graph(partial(function, z, **options)) if way == "graph" else function(z, **options)
        cupy.cuda.runtime.deviceSynchronize()
        check(all(same_there(g, d) for g, d in zip(all_of(got), due)), way, function.__name__, x.dtype, x.shape, x.strides, options)


@part
def cupy_boxes():
    """Images and volumes, also those whose rows are not aligned."""
    for _ in range(150):
        shape = [int(rng.integers(1, 300)) for _ in range(rng.integers(2, 5))]
        shape[:-2] = [min(length, 4) for length in shape[:-2]]
        axes = tuple(int(axis) for axis in rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)])
        x = samples(rng, shape, rng.choice("i1 u1 i2 u2 i4 u4 f2 f4 f8".split()), rng.choice([0, 0.01]))
        w = tuple(int(rng.choice([1, 2, 3, 15, 51, 97, 200, 400])) for _ in axes)
        options = {"axes": axes, "align": str(rng.choice(["valid", "center", "causal", "forward"])),
                   "nan": str(rng.choice(["propagate", "omit"])), "hop": int(rng.choice([1, 1, 1, 3]))}  # fmt: skip
        device = cupy.asarray(x)
        if rng.integers(3) == 0:
            x, device = x[..., 1:], device[..., 1:]
        for function in (gpuenv.minimum, gpuenv.maximum):
            check(same_there(function(device, w, **options), function(x, w, **options)), x.dtype, x.shape, w, options)


@part
def cupyx_results():
    # Few: each of its kernels is compiled first.
    for dtype in ["f4", "i2"]:
        for axis in [0, 2]:
            x = cupy.asarray(samples(rng, (30, 40, 50), dtype))
            for w in [2, 7]:
                lo, hi = gpuenv.minmax(x, w, axis=axis, align="center")
                due = [f(x, w, axis=axis, mode="nearest") for f in (ndimage.minimum_filter1d, ndimage.maximum_filter1d)]
                check(bool((lo == due[0]).all()) and bool((hi == due[1]).all()), dtype, axis, w)


@of_pytorch
def torch_tensors():
    types = [torch.float32, torch.float64, torch.float16, torch.int8, torch.uint8, torch.int16, torch.int32, torch.bool]
    for dtype in types:
        x = (torch.randn(3, 400, 5) * 50).to(dtype)
        for take in [lambda t: (t, 1), lambda t: (t[:, ::3], -1), lambda t: (t.permute(2, 0, 1), 2), lambda t: (t[1, :, 2], 0),
                     lambda t: (t[:0], 1), lambda t: (t[:, 7:], 1)]:  # fmt: skip
            there, axis = take(x.cuda())
            here, _ = take(x)
            due = gpuenv.minmax(here, 3, axis=axis)
            got = gpuenv.minmax(there, 3, axis=axis)
            for g, d in zip(got, due):
                check(type(g) is torch.Tensor and g.is_cuda and g.dtype == dtype and torch.equal(g.cpu(), d), dtype, here.shape)
    x = torch.randn(4, 5000, device="cuda")
    pooled = torch.nn.functional.max_pool1d(x[None], 32, stride=4)[0]
    check(torch.equal(gpuenv.maximum(x, 32, hop=4), pooled), "max_pool1d")
    due = gpuenv.maximum(x, 9, align="center")
    check(torch.equal(gpuenv.maximum(x, 9, align="center", out=x), due) and torch.equal(x, due), "in place")
    check(torch.equal(gpuenv.maximum(torch.nn.Parameter(x, requires_grad=False), 9), gpuenv.maximum(x, 9)), "a parameter")
    if hasattr(torch, "uint16"):
        y = samples(rng, (3, 500), "u2")
        check(np.array_equal(gpuenv.maximum(torch.from_numpy(y).cuda(), 9).cpu().numpy(), gpuenv.maximum(y, 9)), "uint16")


@part
def refusals():
    x = cupy.zeros((3, 50), "f4")
    for kind, text, *arguments, named in [
        (ValueError, "float64", x.astype("i8"), 3, {}),
        (ValueError, "nan='error'", x, 3, {"nan": "error"}),
        (ValueError, "aligned", cupy.zeros(401, "u1")[1:].view("f4"), 3, {}),
        (ValueError, "out is not", x, 3, {"out": np.zeros((3, 48), "f4")}),
    ]:
        check(text in raises(kind, gpuenv.maximum, *arguments, **named), text)
    check("copy" in raises(ValueError, gpuenv.Stream(3).push, x), "streams work in memory")
    if torch is not None:
        lost, other = torch.zeros(9, device="cuda", requires_grad=True), torch.zeros(9, device="cuda", dtype=torch.bfloat16)
        check("detach" in raises(ValueError, gpuenv.maximum, lost, 3), "gradients")
        check("bfloat16" in raises(TypeError, gpuenv.maximum, other, 3), "bfloat16")


# ---- statistics


def same_stats(got, due):
    return [
        name
        for name, g, d in zip(gpuenv.Stats._fields, got, due)
        if not same_there(g, d)
    ]


@part
def cupy_stats():
    for dtype in ["f4", "f8"]:  # a thread's rows, a warp's, a block's, and several blocks'
        for length in [1, 7, 8, 9, 16, 17, 32, 64, 65, 100, 512, 513, 1000, 4096, 4097, 40_000]:
            x = samples(rng, (max(3, 300_000 // length), length), dtype, 0.01)
            for y, axis in [(cupy.asarray(x), 1), (cupy.asarray(np.ascontiguousarray(x.T)), 0)]:
                wrong = same_stats(gpuenv.stats(y, axis=axis), gpuenv.stats(x))
                check(not wrong, "rows", wrong, dtype, length, axis)
    x = cupy.asarray(samples(rng, 3_000_000, "f4"))
    check(not same_stats(gpuenv.stats(x), gpuenv.stats(x.get())), "a long row")
    check(not same_stats(gpuenv.stats(x, every=16), gpuenv.stats(x.get(), every=16)), "many blocks")
    check("float64" in raises(ValueError, gpuenv.stats, x.astype("i8")), "int64")


@of_pytorch
def torch_stats():
    x = torch.randn(6, 90_000, device="cuda")
    for options in [{}, {"axis": 0}, {"every": 7000}]:
        check(not same_stats(gpuenv.stats(x, **options), gpuenv.stats(x.cpu().numpy(), **options)), options)
    integers = torch.randint(-9, 9, (5, 70), device="cuda", dtype=torch.int16)
    check(not same_stats(gpuenv.stats(integers), gpuenv.stats(integers.cpu().numpy())), "int16")
    stream = torch.cuda.Stream()
    got = gpuenv.stats(x, stream=stream)
    stream.synchronize()
    check(not same_stats(got, gpuenv.stats(x.cpu().numpy())), "a stream")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        got = gpuenv.stats(x)
    for _ in range(2):
        x.copy_(torch.randn_like(x))
        graph.replay()
        torch.cuda.synchronize()
        check(not same_stats(got, gpuenv.stats(x.cpu().numpy())), "a graph")


# ---- other libraries


@part
def other_libraries():
    x = cupy.asarray(samples(rng, (5, 700), "f4"))
    due = gpuenv.maximum(x.get(), 9)
    for other in [Interface(x), Exporter(x)] + ([] if torch is None else [Exporter(torch.from_numpy(x.get()).cuda())]):
        got = gpuenv.maximum(other, 9)
        check(type(got) is cupy.ndarray and same_there(got, due), type(other))
    stream = cupy.cuda.Stream(non_blocking=True)
    other = Exporter(x)
    got = gpuenv.maximum(other, 9, stream=stream)
    stream.synchronize()
    check(other.asked == [stream.ptr] and same_there(got, due), "the stream of DLPack", other.asked)


# ---- streams

slow = cupy.RawKernel(
    r"""extern "C" __global__ void slow(float *x, const float *from, int n, long long cycles) {
        long long begin = clock64();
        while (clock64() - begin < cycles) { }
        for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = from[i];
    }""",
    "slow",
)


def write_late(x, samples, stream):
    """Writes samples after about 50 ms, on a stream."""
    with stream:
        slow((1,), (256,), (x, samples, np.int32(x.size), np.int64(80_000_000)))


@part
def cupy_streams():
    y = cupy.asarray(samples(rng, (4, 3000), "f4"))
    due = gpuenv.minmax(y.get(), 30)
    one, two = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    for way in ["current", "given", "address", "interface", "dlpack"]:
        x = cupy.zeros_like(y)
        cupy.cuda.runtime.deviceSynchronize()
        write_late(x, y, one)
        began = time.perf_counter()
        with one:
            if way == "current":
                got, stream = gpuenv.minmax(x, 30), one
            elif way == "given":
                got, stream = gpuenv.minmax(x, 30, stream=two), two
            elif way == "address":
                got, stream = gpuenv.minmax(x, 30, stream=two.ptr), two
            elif way == "interface":
                got, stream = gpuenv.minmax(Interface(x, one.ptr), 30, stream=two), two
            else:
                got, stream = gpuenv.minmax(Exporter(x), 30, stream=two), two
            check(cupy.cuda.get_current_stream() == one, way, "the current stream stays")
        if way != "current":  # the first call loads kernels
            check(time.perf_counter() - began < 0.03 and not stream.done, way, "returns before the work is done")
        stream.synchronize()
        check(all(same_there(g, d) for g, d in zip(got, due)), way, "waits for the samples")
    for stream in [0, 1, 2, cupy.cuda.Stream.null, cupy.cuda.Stream.ptds]:
        cupy.cuda.runtime.deviceSynchronize()
        got = gpuenv.minmax(y, 30, stream=stream)
        cupy.cuda.runtime.deviceSynchronize()
        check(all(same_there(g, d) for g, d in zip(got, due)), "default stream", stream)
    # Several at once: each has workspaces of its own.
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(8)]
    arrays = [cupy.asarray(samples(rng, (40, 20000), "f4")) for _ in streams]
    cupy.cuda.runtime.deviceSynchronize()
    got = []
    for w in (9, 100, 3000, 20000):
        got += [(a, w, gpuenv.maximum(a, w, align="center", stream=s)) for a, s in zip(arrays, streams)]
    cupy.cuda.runtime.deviceSynchronize()
    for a, w, g in got:
        check(same_there(g, gpuenv.maximum(a.get(), w, align="center")), "several streams", w)


@of_pytorch
def torch_streams():
    y = torch.randn(4, 3000, device="cuda")
    due = gpuenv.minmax(y.cpu(), 30)
    one, two = torch.cuda.Stream(), torch.cuda.Stream()
    for stream in [one, two]:
        x = torch.zeros_like(y)
        torch.cuda.synchronize()
        with torch.cuda.stream(one):
            torch.cuda._sleep(80_000_000)
            x.copy_(y)
            x.record_stream(one)
            got = gpuenv.minmax(x, 30, stream=None if stream is one else stream)
            check(torch.cuda.current_stream() == one, "the current stream stays")
        check(not stream.query(), "returns before the work is done")
        del x  # its memory stays until the other stream has read it
        junk = [torch.full_like(y, 7.0) for _ in range(20)]
        stream.synchronize()
        check(all(torch.equal(g.cpu(), d) for g, d in zip(got, due)), "waits for the samples", stream is one)
        del junk
    check(torch.equal(gpuenv.maximum(y, 30, stream=torch.cuda.default_stream()).cpu(), due[1]), "the default stream")
    with torch.cuda.stream(two):
        got = gpuenv.maximum(y, 30, stream=1)
    torch.cuda.synchronize()
    check(torch.equal(got.cpu(), due[1]), "the default stream, from another one")


# ---- graphs


@part
def cupy_graph():
    for w in [9, 700, 5000]:
        x = cupy.asarray(samples(rng, (6, 9000), "f4"))
        y = samples(rng, x.shape, "f4")
        room = tuple(cupy.empty((6, 9000), "f4") for _ in range(2))
        by_graph(lambda x=x, w=w, room=room: gpuenv.minmax(x, w, align="center", out=room), lambda x=x, y=y: x.set(y))
        check(all(same_there(r, d) for r, d in zip(room, gpuenv.minmax(y, w, align="center"))), "a graph", w)


@of_pytorch
def torch_graph():
    for w in [9, 700, 5000]:
        x = torch.randn(6, 9000, device="cuda")
        gpuenv.maximum(x, w, align="center")
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            got = gpuenv.maximum(x, w, align="center")
        y = torch.randn(6, 9000)
        for _ in range(2):
            x.copy_(y)
            graph.replay()
            torch.cuda.synchronize()
            check(torch.equal(got.cpu(), gpuenv.maximum(y, w, align="center")), "a graph", w)
            y = -y


# ---- several devices


@part
def devices():
    if cupy.cuda.runtime.getDeviceCount() < 2:
        print("one device only: skipped")
        return
    y = samples(rng, (4, 3000), "f4")
    due = gpuenv.maximum(y, 30)
    with cupy.cuda.Device(1):
        x = cupy.asarray(y)
    got = gpuenv.maximum(x, 30)
    check(got.device.id == 1 and cupy.cuda.runtime.getDevice() == 0 and same_there(got, due), "CuPy")
    got = gpuenv.maximum(Interface(x), 30)
    check(got.device.id == 1 and cupy.cuda.runtime.getDevice() == 0 and same_there(got, due), "an interface")
    check(raises(ValueError, gpuenv.maximum, x, 30, out=cupy.empty(due.shape, "f4")), "two devices")
    if torch is not None:
        t = torch.from_numpy(y).to("cuda:1")
        got = gpuenv.maximum(t, 30)
        check(got.get_device() == 1 and torch.cuda.current_device() == 0 and same_there(got, due), "PyTorch")
        stream = torch.cuda.Stream("cuda:1")
        got = gpuenv.maximum(t, 30, stream=stream)
        stream.synchronize()
        check(got.get_device() == 1 and torch.cuda.current_device() == 0 and same_there(got, due), "PyTorch, and a stream")


@part
def threads_on_devices():
    """Calls of eight threads a device, each on a stream of its own."""
    count = min(4, cupy.cuda.runtime.getDeviceCount())
    y = samples(rng, (64, 70_000), "f4")
    due = {w: gpuenv.minmax(y, w) for w in (9, 500)}
    sums = gpuenv.stats(y)
    wrong = []

    def work(number):
        device = number % count
        try:
            with cupy.cuda.Device(device), cupy.cuda.Stream(non_blocking=True) as stream:
                x = cupy.asarray(y)
                for _ in range(20):
                    for w in due:
                        got = gpuenv.minmax(x, w)
                        stream.synchronize()
                        if not all(same_there(g, d) for g, d in zip(got, due[w])):
                            wrong.append((device, w))
                    got = gpuenv.stats(x)
                    stream.synchronize()
                    wrong.extend(same_stats(got, sums))
                if cupy.cuda.runtime.getDevice() != device:
                    wrong.append((device, "the current device"))
        except Exception as error:
            wrong.append((device, error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8 * count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not wrong, count, "devices", wrong[:5])


@part
def page():
    """The examples of docs/python.md that need a device."""
    path = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
    names = {"gpuenv": gpuenv, "numpy": np}
    for block in re.findall(r"^```python\n(.*?)^```$", path.read_text(), re.M | re.S):
        if not re.search(r"^>>> import (cupy|torch)$", block, re.M) or (torch is None and "import torch" in block):
            continue
        test = doctest.DocTestParser().get_doctest(block, names, path.name, str(path), 0)
        result = doctest.DocTestRunner().run(test)
        check(result.attempted > 0 and result.failed == 0, result)


# ---- how long it takes

kind = "times"
ROWS, COUNT = 2048, 16384


def device_seconds(calls):
    """Medians of the time of each call on the device, by turns: {name: (function, repeats)}."""
    times = {name: [] for name in calls}
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    for function, _ in calls.values():
        function()
    cupy.cuda.runtime.deviceSynchronize()
    for _ in range(7):
        for name, (function, repeats) in calls.items():
            start.record()
            for _ in range(repeats):
                function()
            stop.record()
            stop.synchronize()
            times[name].append(cupy.cuda.get_elapsed_time(start, stop) / 1000 / repeats)
    return {name: statistics.median(each) for name, each in times.items()}


def row(what, measured, unit, bar=None, most=False):
    global missed
    verdict = ""
    if bar is not None:
        met = measured <= bar if most else measured >= bar
        missed += not met
        verdict = f"{bar:6.2f}  {'met' if met else 'MISSED'}"
    print(f"{what:44} {measured:10.3f} {unit:8} {verdict}", flush=True)


@part
def against_cupyx():
    copy = cupy.ElementwiseKernel("T x", "T a, T b", "a = x; b = x", "copy_twice")
    square, short_rows, pairs = (ROWS, COUNT), (100_000, 100), (5_000_000, 2)
    cases = [(square, 1, 16, 8), (square, 1, 512, 200), (short_rows, 1, 16, None), (pairs, 0, 16, None)]
    for shape, axis, w, bar in cases:
        x = cupy.asarray(samples(rng, shape, "f4"))
        room = cupy.empty_like(x), cupy.empty_like(x)

        def ours(x=x, w=w, axis=axis, **out):
            return gpuenv.minmax(x, w, axis=axis, align="center", **out)

        def theirs(x=x, w=w, axis=axis, **mode):
            return ndimage.minimum_filter1d(x, w, axis, **mode), ndimage.maximum_filter1d(x, w, axis, **mode)

        # With the usual mode, reflect, windows have the same extremes as those that end at the edges.
        check(all(bool((got == due).all()) for got, due in zip(ours(out=room), theirs())), "results", shape, w)
        took = device_seconds(
            {
                "copy": (lambda x=x, room=room: copy(x, *room), 10),
                "out": (lambda ours=ours, room=room: ours(out=room), 10),
                "new": (ours, 10),
                "cupyx": (theirs, 1),
                "nearest": (lambda theirs=theirs: theirs(mode="nearest"), 1),
            }
        )
        what = f"minmax, w {w}" if shape == square else f"minmax, {shape[0]} x {shape[1]}, axis {axis}"
        row(f"{what}, out=, over cupyx", took["cupyx"] / took["out"], "times", bar)
        row(f"{what}, new results, over cupyx", took["cupyx"] / took["new"], "times")
        row(f"{what}, out=, over mode='nearest'", took["nearest"] / took["out"], "times")
        row(f"{what}, out=, of a copy", took["copy"] / took["out"], "x copy")
        row(f"{what}, new results, of a copy", took["copy"] / took["new"], "x copy")
        row(f"{what}, out=", took["out"] * 1e6, "us")


@part
def samples_as_they_are():
    """Beside a copy of as many bytes, as float32."""
    copy = cupy.ElementwiseKernel("T x", "T a, T b", "a = x; b = x", "copy_words_twice")
    for dtype, bar in [("i4", 0.9), ("i2", 0.65), ("f2", 0.65), ("u1", 0.45)]:
        line = cupy.tile(cupy.asarray(samples(rng, 1 << 20, dtype)), 128)
        for x, w in [(line, w) for w in (2, 8, 17, 18, 100, 512, 1000)] + [(line.reshape(-1, 2048), 16), (line[: 1920 << 16].reshape(-1, 1920), 15)]:
            words = x.view("f4")
            twice, room = (cupy.empty_like(words), cupy.empty_like(words)), (cupy.empty_like(x), cupy.empty_like(x))
            gpuenv.minmax(x, w, align="center", out=room)
            some = x[:300_000] if x.ndim == 1 else x[:200]
            due = gpuenv.minmax(some.get(), w, align="center")
            check(all(same(r[: len(some) - w].get(), d[: len(some) - w]) for r, d in zip(room, due)), dtype, x.shape, w)
            took = device_seconds(
                {
                    "copy": (lambda words=words, twice=twice: copy(words, *twice), 10),
                    "out": (lambda x=x, w=w, room=room: gpuenv.minmax(x, w, align="center", out=room), 10),
                    "high": (lambda x=x, w=w, room=room: gpuenv.maximum(x, w, align="center", out=room[0]), 10),
                }
            )
            shape = "" if x.ndim == 1 else f", rows of {x.shape[1]}"
            row(f"minmax, {dtype}{shape}, w {w}, of a copy", took["copy"] / took["out"], "x copy", bar if x.ndim == 1 else None)
            row(f"maximum, {dtype}{shape}, w {w}", took["high"] * 1e6, "us")


def measure_box(x, w, align, bar):
    """Beside a copy of the array; `bar` is the most."""
    axes = (-2, -1)
    room, other = gpuenv.maximum(x, w, axes=axes, align=align), cupy.empty_like(x)
    due = gpuenv.maximum(x[:2].get(), w, axes=axes, align=align)
    check(same(room[:2].get(), due) and same(gpuenv.minimum(x[:2], w, axes=axes, align=align).get(),
          gpuenv.minimum(x[:2].get(), w, axes=axes, align=align)), x.dtype, w, align)  # fmt: skip
    took = device_seconds(
        {
            "copy": (lambda: other.data.copy_from_device_async(x.data, x.nbytes), 10),
            "box": (lambda: gpuenv.maximum(x, w, axes=axes, align=align, out=room), 10),
            "down": (lambda: gpuenv.maximum(x, w, axis=-2, align="center", out=other), 10),
            "along": (lambda: gpuenv.maximum(x, w, axis=-1, align="center", out=other), 10),
        }
    )
    what = f"box of {w}, {x.dtype.str[1:]}, {align}"
    row(f"{what}, copies", took["box"] / took["copy"], "copies", bar, most=True)
    row(f"{what}", took["box"] * 1e6, "us")
    if align == "center":
        row(f"{what}, down columns", took["down"] / took["copy"], "copies")
        row(f"{what}, along rows", took["along"] / took["copy"], "copies")


@part
def boxes():
    some = cupy.asarray(samples(rng, (4, 3, 512, 512), "f4"))
    photos = cupy.asarray(samples(rng, (4, 1080, 1920), "u1"))
    for x, bar in [(cupy.tile(some, (16, 1, 1, 1)), 3.5), (cupy.tile(photos, (16, 1, 1)), 8)]:
        for w in (3, 15, 51):
            for align in ("center", "valid"):
                measure_box(x, w, align, bar)
    volume = cupy.asarray(samples(rng, (200, 300, 400), "i2"))
    due = gpuenv.maximum(volume.get(), 5, axes=(0, 1, 2), align="center")
    check(same(gpuenv.maximum(volume, 5, axes=(0, 1, 2), align="center").get(), due), "three axes")
    took = device_seconds({"box": (lambda: gpuenv.maximum(volume, 5, axes=(0, 1, 2), align="center"), 10)})
    row("box of 5, i2, 200 x 300 x 400, three axes", took["box"] * 1e6, "us")


@of_pytorch
def against_torch():
    x = torch.randn(ROWS, COUNT, device="cuda")
    w = 512
    room = torch.empty(ROWS, COUNT - w + 1, device="cuda")
    whole = torch.empty_like(x)
    pool = torch.nn.functional.max_pool1d
    check(torch.equal(gpuenv.maximum(x, w), pool(x[None], w, stride=1)[0]), "results")
    # Both libraries are on the default stream, where the events are.
    took = device_seconds(
        {
            "copy": (lambda: whole.copy_(x), 10),
            "out": (lambda: gpuenv.maximum(x, w, out=room), 10),
            "new": (lambda: gpuenv.maximum(x, w), 10),
            "pool": (lambda: pool(x[None], w, stride=1), 1),
        }
    )
    row(f"maximum, w {w}, out=, over max_pool1d", took["pool"] / took["out"], "times", 80)
    row(f"maximum, w {w}, new results, over max_pool1d", took["pool"] / took["new"], "times", 80)
    row(f"maximum, w {w}, out=, of a copy", took["copy"] / took["out"], "x copy")
    row(f"maximum, w {w}, out=", took["out"] * 1e6, "us")


@part
def stats_against_reductions():
    """All statistics against one of CuPy's reductions, which reads as much."""
    for shape in [(1 << 27,), (2048, 16384), (100_000, 1000), (1 << 25, 2)]:
        x = cupy.asarray(samples(rng, shape, "f4"))
        axis = 0 if shape[-1] == 2 else -1
        took = device_seconds(
            {
                "stats": (lambda x=x, axis=axis: gpuenv.stats(x, axis=axis), 10),
                "max": (lambda x=x, axis=axis: x.max(axis=axis), 10),
            }
        )
        what = f"stats, {' x '.join(map(str, shape))}"
        row(what, took["stats"] * 1e6, "us", 180 if len(shape) == 1 else None, most=True)
        row(f"{what}, over cupy.max()", took["max"] / took["stats"], "times")


@of_pytorch
def stats_against_torch():
    """All statistics of 2^27 samples against PyTorch's variance and mean of the same rows."""
    line = torch.randn(1 << 20, device="cuda").repeat(128)
    took = device_seconds({"stats": (lambda: gpuenv.stats(line), 10), "read": (lambda: torch.amax(line, 0), 10)})
    row("PyTorch, stats, 2^27", took["stats"] * 1e6, "us", 180, most=True)
    row("PyTorch, amax, 2^27", took["read"] * 1e6, "us")
    for dtype in [torch.float32, torch.float64]:
        for length in [4, 8, 16, 17, 32, 64, 128, 1024, 4096, 16_384]:
            x = line[: len(line) // length * length].to(dtype).view(-1, length)
            some = x[-3000:]
            check(not same_stats([g[-len(some) :] for g in gpuenv.stats(x)], gpuenv.stats(some.cpu().numpy())), "rows", length)
            took = device_seconds({"stats": (lambda x=x: gpuenv.stats(x), 5), "var_mean": (lambda x=x: torch.var_mean(x, 1), 5)})
            what = f"PyTorch, stats, {dtype}, rows of {length}".replace("torch.", "")
            row(what, took["stats"] * 1e6, "us")
            bar = 1.5 if dtype is torch.float32 and length in (16, 128, 1024) else None
            row(f"{what}, var_mean", took["stats"] / took["var_mean"], "x theirs", bar, most=True)
    x = line.view(16, -1)
    took = device_seconds({"stats": (lambda: gpuenv.stats(x, axis=0), 5), "var_mean": (lambda: torch.var_mean(x, 0), 5)})
    row("PyTorch, stats, 16 x 2^23, axis 0, var_mean", took["stats"] / took["var_mean"], "x theirs")
    took = device_seconds(
        {"zoom": (lambda: gpuenv.zoom(line, 128, emit="mean"), 5), "mean": (lambda: line.view(-1, 128).mean(1), 5)}
    )
    row("PyTorch, zoom, means of 128, over mean()", took["zoom"] / took["mean"], "x theirs")


def short(what, function, synchronise, bar=None):
    """The median time of a call on the CPU; the device is idle before each fifty of them."""
    times = []
    for _ in range(40):
        synchronise()
        start = time.perf_counter()
        for _ in range(50):
            function()
        times.append((time.perf_counter() - start) / 50)
    synchronise()
    row(f"1,000 samples, {what}", statistics.median(times) * 1e6, "us", bar, most=True)
    return statistics.median(times) * 1e6


def profile(what, function):
    """Where the time of a call on the CPU goes."""
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(2000):
        function()
    profiler.disable()
    cupy.cuda.runtime.deviceSynchronize()
    for entry in sorted(profiler.getstats(), key=lambda entry: -entry.inlinetime)[:12]:
        name = getattr(entry.code, "co_name", entry.code)
        print(f"  {what}: {entry.inlinetime / 2000 * 1e6:7.2f} us, {entry.callcount / 2000:4.1f} calls, {name}")


@part
def short_calls():
    synchronise = cupy.cuda.runtime.deviceSynchronize
    x = cupy.asarray(samples(rng, 1000, "f4"))
    integers, interface, exporter = x.astype("i2"), Interface(x), Exporter(x)
    w = 16
    out, pair = cupy.empty(985, "f4"), (cupy.empty(985, "f4"), cupy.empty(985, "f4"))
    other = cupy.cuda.Stream(non_blocking=True)
    shapes = [cupy.asarray(samples(rng, 1000 + i, "f4")) for i in range(200)]
    turn = iter(range(10**9))
    short("CuPy, minmax, out=", lambda: gpuenv.minmax(x, w, out=pair), synchronise, 20)
    short("CuPy, minmax", lambda: gpuenv.minmax(x, w), synchronise, 20)
    short("CuPy, maximum, out=", lambda: gpuenv.maximum(x, w, out=out), synchronise, 20)
    short("CuPy, maximum", lambda: gpuenv.maximum(x, w), synchronise, 20)
    short("CuPy, maximum, many shapes", lambda: gpuenv.maximum(shapes[next(turn) % 200], w), synchronise)
    short("CuPy, maximum, stream=", lambda: gpuenv.maximum(x, w, stream=other), synchronise)
    short("CuPy, maximum, int16", lambda: gpuenv.maximum(integers, w), synchronise)
    short("CuPy, stats", lambda: gpuenv.stats(x), synchronise, 60)
    short("CuPy, zoom, means", lambda: gpuenv.zoom(x, 10, emit="mean"), synchronise)
    short("the interface, maximum", lambda: gpuenv.maximum(interface, w), synchronise)
    short("DLPack, maximum", lambda: gpuenv.maximum(exporter, w), synchronise)
    short("cupy.empty()", lambda: cupy.empty(985, "f4"), synchronise)
    short("cupy.add()", lambda: cupy.add(x, x, out=x), synchronise)


@of_pytorch
def short_calls_of_torch():
    synchronise = torch.cuda.synchronize
    x = torch.randn(1000, device="cuda")
    w = 16
    out, pair = torch.empty(985, device="cuda"), (torch.empty(985, device="cuda"), torch.empty(985, device="cuda"))
    other = torch.cuda.Stream()
    bar = 3 * short("torch.add(out=)", lambda: torch.add(x, x, out=x), synchronise)
    short("torch.add()", lambda: torch.add(x, x), synchronise)
    short("PyTorch, minmax, out=", lambda: gpuenv.minmax(x, w, out=pair), synchronise, bar)
    short("PyTorch, minmax", lambda: gpuenv.minmax(x, w), synchronise, bar)
    short("PyTorch, maximum, out=", lambda: gpuenv.maximum(x, w, out=out), synchronise, bar)
    short("PyTorch, maximum", lambda: gpuenv.maximum(x, w), synchronise, bar)
    short("PyTorch, maximum, stream=", lambda: gpuenv.maximum(x, w, stream=other), synchronise)
    short("PyTorch, stats", lambda: gpuenv.stats(x), synchronise, 60)
    short("PyTorch, zoom, means", lambda: gpuenv.zoom(x, 10, emit="mean"), synchronise)
    short("torch.empty()", lambda: torch.empty(985, device="cuda"), synchronise)
    short("to_dlpack()", lambda: torch.utils.dlpack.to_dlpack(x), synchronise)
    profile("PyTorch, maximum", lambda: gpuenv.maximum(x, w))
    profile("PyTorch, stats", lambda: gpuenv.stats(x))


if missed and not failures():
    print(missed, "bars missed")
    sys.exit(3)
finish(f"{time.perf_counter() - began:.0f} s,")
