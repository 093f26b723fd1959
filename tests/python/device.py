# SPDX-License-Identifier: MIT
"""Arrays on a CUDA device: the package with an emulated one, and CuPy and PyTorch as fakes.py has them.

    device.py PACKAGE_DIR [ARRAYS]
"""

import gc
import subprocess
import threading

from fakes import *
from harness import argument, check, finish

rng = np.random.default_rng(6)
arrays = argument(2, 60)
TYPES = "? i1 u1 i2 u2 i4 u4 f2 f4 f8 c8 c16".split()
TORCH = "? i1 u1 i2 i4 f2 f4 f8 c8".split()


def orders(seed):
    emu.emu_set_order(seed % 3, seed + 1)


# The library that makes results for others is found once a process.

x = samples(rng, (3, 50), "f4")
if sys.argv[3:] == ["alone"]:
    sys.modules["cupy"] = sys.modules["torch"] = None
    check("CuPy or PyTorch" in raises(ImportError, gpuenv.minmax, Interface(x), 3), "neither CuPy nor PyTorch")
    sys.modules["torch"] = torch
    got = gpuenv.maximum(Interface(x), 3)
    check(type(got) is Tensor and same(got.get(), gpuenv.maximum(x, 3)), "PyTorch serves others")
    got = gpuenv.maximum(torch_tensor(x), 3)
    check(type(got) is Tensor and same(got.get(), gpuenv.maximum(x, 3)), "PyTorch alone")
    check("uint16" in raises(TypeError, gpuenv.maximum, Interface(x.astype("u2")), 3), "types that PyTorch has not")
    finish()
alone = subprocess.run([sys.executable, *sys.argv[:2], "0", "alone"], capture_output=True, text=True)
check(alone.returncode == 0, alone.stdout, alone.stderr)
sys.modules["cupy"] = cupy
sys.modules["torch"] = torch

# ---- boxes

for i, make in enumerate([cupy_array, torch_tensor] * 3):
    orders(i)
    x = samples(rng, (20, 9, 11), "f4", 0.02)
    for words in ({}, {"align": "center"}, {"align": "causal", "hop": 2}, {"align": "causal", "edge": "nan"}):
        words.update(w=(2, 3, 4), axes=(2, 0, 1))
        for got, due in zip(gpuenv.minmax(make(x), **words), gpuenv.minmax(x, **words)):
            check(same(got.get(), due), "boxes", make.__name__, words)
        check(same(gpuenv.absmax(make(x), **words).get(), gpuenv.absmax(x, **words)), "boxes", words)
    for dtype, length in ((dtype, length) for dtype in ("f4", "f8", "f2", "u1", "i2", "i4") for length in (64, 67)):
        x = samples(rng, (2, 40, length), dtype, 0.02)
        for words in ({"align": "center"}, {"align": "valid"}, {"align": "causal", "hop": 3, "nan": "omit"}):
            words.update(w=(2, 7, 20), axes=(0, 1, 2))
            got = gpuenv.minimum(make(x), **words)
            check(type(got) is type(make(x)) and same(got.get(), gpuenv.minimum(x, **words)), "down columns", dtype, length, words)
    for name in ("minimum_filter", "maximum_filter", "grey_erosion", "grey_dilation", "grey_opening", "grey_closing"):
        for words in ({"size": (3, 1, 5)}, {"size": 3, "mode": "nearest"}):
            function = getattr(gpuenv.scipy, name)
            check(same(function(make(x), **words).get(), function(x, **words)), name, make.__name__, words)
    check_refused("boxes", globals())

# ---- values, types, axes and distances, against the same arrays in memory


def arranged(x):
    """With other distances, but aligned, as devices need it."""
    return strided(rng, x, 5)


def random_case():
    dimensions = int(rng.integers(1, 5))
    shape = [int(rng.integers(1, 60 if dimensions < 3 else 7)) for _ in range(dimensions)]
    if rng.random() < 0.1:
        shape[rng.integers(dimensions)] = 0
    axis = int(rng.integers(-dimensions, dimensions))
    return shape, draw_options(rng, rng.integers(1, shape[axis] + 4), axis, [1, 1, 3])


def random_array(shape):
    """An array in memory, how it comes onto a device, and the type of its results there."""
    make = list(MAKERS)[rng.integers(4)]
    kind, dtypes = MAKERS[make]
    x = samples(rng, shape, rng.choice(dtypes), rng.choice([0, 0.1]))
    return x if make is torch_tensor and rng.integers(2) else arranged(x), make, kind


MAKERS = {cupy_array: (ndarray, TYPES), torch_tensor: (Tensor, TORCH), Interface: (ndarray, TYPES), Exporter: (ndarray, TYPES)}
for i in range(arrays):
    orders(i)
    shape, options = random_case()
    x, make, kind = random_array(shape)
    one = rng.integers(3) == 0
    function = getattr(gpuenv, str(rng.choice(["maximum", "absmax", "ptp", "mid"]))) if one else gpuenv.minmax
    words = (make.__name__, function.__name__, x.dtype, x.shape, x.strides, options)
    due = function(x, **options)
    got = function(make(x), **options)
    due, got = ((due,), (got,)) if one else (due, got)
    for d, g in zip(due, got):
        check(type(g) is kind, "type", type(g), *words)
        check(same(g.get(), d), "values", *words)
    if x.ndim > 1 and x.flags.f_contiguous and not x.flags.c_contiguous and d.size and kind is ndarray:
        check(g.strides == d.strides, "order", *words)
    if not 0 < due[0].size:
        continue
    room = [arranged(np.zeros(d.shape, d.dtype)) for d in due]
    if kind is Tensor and any(s < 0 for r in room for s in r.strides):
        continue
    there = [(cupy_array if kind is ndarray else torch_tensor)(r) for r in room]
    back = function(make(x), out=there[0] if one else tuple(there), **options)
    back = (back,) if one else back
    check(all(b is t for b, t in zip(back, there)), "out is given back", *words)
    check(all(same(b.get(), d) for b, d in zip(back, due)), "out", [r.strides for r in room], *words)
orders(0)

x = samples(rng, (4, 30), "f4")
a = cupy_array(x)
lo, hi = gpuenv.zoom(a, 7)
check(same(hi.get(), gpuenv.zoom(x, 7)[1]), "zoom")
for i in range(arrays):
    orders(i)
    shape, options = random_case()
    x, make, kind = random_array(shape)
    names = rng.choice("min max abs mean rms std count first last argmin argmax range".split(), rng.integers(1, 6), replace=False)
    options = {"axis": options["axis"], "emit": ",".join(names), "nan": str(rng.choice(["omit", "propagate"]))}
    n = int(rng.choice([1, 2, 5, 16, 17, 40, 100]))
    due, got = gpuenv.zoom(x, n, **options), gpuenv.zoom(make(x), n, **options)
    due, got = (due, got) if len(names) > 1 else ((due,), (got,))
    words = (make.__name__, x.dtype, x.shape, x.strides, n, options)
    check([str(name) for name, d, g in zip(names, due, got) if not same(g.get(), d)] == [], "pieces", *words)
    if 0 < due[0].size:
        room = tuple((cupy_array if kind is ndarray else torch_tensor)(np.zeros(d.shape, d.dtype)) for d in due)
        back = gpuenv.zoom(make(x), n, **options, out=room if len(names) > 1 else room[0])
        check(all(same(b.get(), d) for b, d in zip(room, due)), "pieces into out", *words)
orders(0)
x = samples(rng, (4, 30), "f4")
a = cupy_array(x)
narrow = cupy_array(np.zeros((4, 5), "f4"))
gpuenv.zoom(a, 7, emit="mean", out=narrow)
check(same(narrow.get(), gpuenv.zoom(x, 7, emit="mean", out=np.zeros((4, 5), "f4"))), "float32 means")
for n, y in ((n, samples(rng, (3, 20_000), t, nans)) for n in (1000, 1024, 9000, 20_000) for t in ("f4", "f8") for nans in (0, 0.01)):
    check(same(gpuenv.zoom(cupy_array(y), n, emit="std,mean", nan="omit")[0].get(), gpuenv.zoom(y, n, emit="std", nan="omit")), "std", n)
check_refused("values", globals())
check(gpuenv.minmax(a, 31)[0].shape == (4, 0), "w > n")
check(gpuenv.maximum(cupy_array(np.zeros((3, 0))), 2).shape == (3, 0), "no samples")
check(gpuenv.maximum(Interface(np.zeros((0, 3), "f4")), 2).shape == (0, 2), "no samples, and no pointer")
out = cupy_array(np.zeros((4, 28), "f8"))
check(gpuenv.maximum(a, 3, out=out) is out and same(out.get(), gpuenv.maximum(x, 3).astype("f8")), "results of another type")
out = torch_tensor(np.zeros((4, 28), "f4"))
check(gpuenv.maximum(a, 3, out=out) is out and same(out.get(), gpuenv.maximum(x, 3)), "results in another library")
out = Exporter(np.zeros((4, 28), "f4"))
check(gpuenv.maximum(a, 3, out=out) is out and same(out.get(), gpuenv.maximum(x, 3)), "results by DLPack")
other = Exporter(x, kind=13)
check(same(gpuenv.maximum(other, 3).get(), gpuenv.maximum(x, 3)), "managed memory")
check(same(gpuenv.maximum(cupy_array(x, skew=8), 3).get(), gpuenv.maximum(x, 3)), "between borders")
big = samples(rng, (3, 3000), "f4")
check(same(gpuenv.maximum(cupy_array(big), 700).get(), gpuenv.maximum(big, 700)), "a wide window")

# ---- statistics, against those of the same arrays in memory


def same_stats(got, due, make):
    """Magnitudes of integers are int64 in PyTorch, which has no other integers to compute with."""
    due = [np.asarray(d) for d in due]
    if make is torch_tensor and due[4].dtype == "u8":
        due[4] = due[4].astype("i8")
    return [name for name, g, d in zip(gpuenv.Stats._fields, got, due) if not same(g.get(), d)]


for i in range(arrays):
    orders(i)
    shape, options = random_case()
    axis = options["axis"]
    if rng.integers(6) == 0:
        shape = [min(n, 3) for n in shape]
        shape[axis] = int(rng.integers(4000, 9000))
    x, make, kind = random_array(shape)
    options = {"axis": axis} if rng.integers(2) else {"axis": axis, "every": max(1, shape[axis] // 3)}
    words = (make.__name__, x.dtype, x.shape, x.strides, options)
    if x.shape[axis] == 0 and x.dtype.kind in "biu":
        check("no samples" in raises(ValueError, gpuenv.stats, make(x), **options), *words)
        continue
    got = gpuenv.stats(make(x), **options)
    check(type(got) is gpuenv.Stats and all(type(g) is kind for g in got), "type", *words)
    check(not same_stats(got, gpuenv.stats(x, **options), make), same_stats(got, gpuenv.stats(x, **options), make), *words)
orders(0)
x = samples(rng, (4, 30), "f4")
for make in [cupy_array, torch_tensor]:
    check(not same_stats(gpuenv.stats(make(x)), gpuenv.stats(x), make), "the last axis", make)
    check_refused("statistics", globals())
for shape in [(0, 3), (2, 0, 3), (2, 3, 0, 4), (0, 2, 5)]:
    for axis in range(len(shape)):
        x = np.zeros(shape)
        wrong = same_stats(gpuenv.stats(cupy_array(x), axis=axis), gpuenv.stats(x, axis=axis), cupy_array)
        check(not wrong, "no samples", shape, axis, wrong)
x = samples(rng, (4, 30), "f4")

# ---- results on top of samples

for dtype in ["f4", "i2", "c8"]:
    x = samples(rng, (3, 100), dtype)
    kind = np.empty(0, dtype).real.dtype
    due = gpuenv.maximum(x, 5, align="center")
    a = cupy_array(x)
    if dtype == "c8":
        half = ndarray(x.shape, kind, MemoryPointer(a.data, a.data.ptr, 0), x.strides)
        check(gpuenv.maximum(a, 5, align="center", out=half) is half and same(half.get(), due), "over complex numbers")
    else:
        check(gpuenv.maximum(a, 5, align="center", out=a) is a and same(a.get(), due), "in place", dtype)
a = cupy_array(x.real.copy())
check("overlap" in raises(ValueError, gpuenv.minmax, a, 5, align="center", out=(a, a)), "the same results twice")

# ---- others: what they are asked, and where results go

x = samples(rng, (2, 90), "f4")
due = gpuenv.maximum(x, 4)
check(same(gpuenv.maximum(Interface(x, 2), 4).get(), due), "version 2")
check(same(gpuenv.maximum(Interface(x, strides=None), 4).get(), due), "packed")
for broken in [{"typestr": "<f4"}, {"typestr": "<f4", "shape": (3, "4"), "data": (0, False)}, 3]:
    broken = types.SimpleNamespace(__cuda_array_interface__=broken)
    check("read" in raises(TypeError, gpuenv.maximum, broken, 4), "a part of the interface", broken)
check_refused("interfaces", globals())
fixed = Interface(np.zeros((2, 87), "f4"), version=3)
fixed.__cuda_array_interface__["data"] = (fixed.pointer, True)
check("read-only" in raises(ValueError, gpuenv.maximum, cupy_array(x), 4, out=fixed), "read-only")
swapped = Interface(x.astype(">f4"))
check(same(gpuenv.maximum(swapped, 4).get(), due), "swapped")


class Home(Interface):
    __module__ = "home"


sys.modules["home"] = types.SimpleNamespace(from_dlpack=lambda a: ("at home", a))
check(all(name == "at home" for name, _ in gpuenv.stats(Home(x))), "statistics as well")
got = gpuenv.minmax(Home(x), 4)
check(got[1][0] == "at home" and same(got[1][1].get(), due), "back to a library that takes arrays")
del sys.modules["home"]

# ---- streams


def launches(function):
    """What a call did: (calls that wait, calls that allocate, launches)."""
    emu.emu_fail(None, 0)
    function()
    waits = sum(emu.emu_calls(b"cuda" + f) for f in [b"StreamSynchronize", b"DeviceSynchronize", b"EventSynchronize", b"Memcpy"])
    return waits, emu.emu_calls(b"cudaMalloc"), emu.emu_calls(b"launch")


x = samples(rng, (4, 400), "f4")
due = gpuenv.minmax(x, 9)
emu.emu_set_order(LAZY, 1)
lazy = make_stream()
for library, make, cuda_names in [("cupy", cupy_array, CupyStream), ("torch", torch_tensor, TorchStream)]:
    a = make(x)
    with using(library, 0, lazy):
        gpuenv.minmax(a, 9)
        del log[:]
        for _ in range(3):
            results = []
            did = launches(lambda: results.append(gpuenv.minmax(a, 9)))
            check(did[:2] == (0, 0) and did[2] >= 1, "no waiting, no allocation", library, did)
        check(log and all(place[:2] == (0, lazy) for place in log), "allocators and the current stream", library, log)
        check(len(log) == 6 and sum(size for _, _, size in log[:2]) < 2 * x.nbytes, "two results, no workspace", library, log)
        got = results[0]
    check(all(same(g.get(lazy), d) for g, d in zip(got, due)), "on the current stream", library)

    # A stream by its address, as an object of each library, and by CUDA's protocol.
    given = make_stream()
    for stream in [given, np.int64(given), types.SimpleNamespace(ptr=given), types.SimpleNamespace(cuda_stream=given),
                   types.SimpleNamespace(__cuda_stream__=lambda given=given: (0, given))]:  # fmt: skip
        del log[:]
        before = device_now()
        with using(library, 0, lazy):
            a = make(x)
            # The samples are written late, on the current stream.
            pointer = a.data.ptr if library == "cupy" else a.pointer
            y = np.ascontiguousarray(x[::-1])
            cuda("MemcpyAsync", address(pointer), address(y.ctypes.data), ctypes.c_size_t(y.nbytes), TO_DEVICE, address(lazy))
            got = gpuenv.minmax(a, 9, stream=stream)
            check(current(library, 0) == lazy and device_now() == before, "the current stream stays", library)
        check([place[1] for place in log[1:]] == [given] * 2, "memory in the order of the stream", library, log, given)
        check(all(same(g.get(given), d[::-1]) for g, d in zip(got, due)), "waits for the samples", library, stream)
        if library == "torch":
            check(a.recorded == [given], "PyTorch knows of the other stream", a.recorded)
    # Another library's results are there on its current stream.
    another, make_another = ("torch", torch_tensor) if library == "cupy" else ("cupy", cupy_array)
    with using(library, 0, lazy), using(another, 0, given):
        a, b = make(x), [make_another(np.zeros_like(d)) for d in due]
        did = launches(lambda a=a, b=b: gpuenv.minmax(a, 9, out=tuple(b)))
        check(did[0] == 0 and all(same(r.get(given), d) for r, d in zip(b, due)), "results wait", library, did)
    for stream in [0, 1, 2]:
        check(same(gpuenv.minmax(make(x), 9, stream=stream)[1].get(0), due[1]), "default streams", library, stream)
    with using(library, 0, lazy):
        check(same(gpuenv.minmax(make(x), 9, stream=1)[1].get(0), due[1]), "not the current stream", library)
check(gpuenv.maximum(cupy_array(x), 9, stream=lazy, threads=1).shape == due[0].shape, "threads are ignored")
check_refused("streams", globals())

# Statistics: one launch writes all columns into one allocation. Other types have a workspace.
y = np.ascontiguousarray(x[::-1])
for make, cuda_names in [(cupy_array, CupyStream), (torch_tensor, TorchStream)]:
    a = make(x)
    for stream in [None, make_stream()]:
        with using("cupy", 0, lazy), using("torch", 0, lazy):
            gpuenv.stats(a, stream=stream)
            del log[:]
            done = launches(lambda a=a, stream=stream: gpuenv._core.device_records(a, 1, 0, stream, lambda *found: found[2:4]))
            check(done == (0, 0, 1) and len(log) == 1, "columns: no waiting, one allocation", make, done, log)
            gpuenv.stats(make(x.astype("i2")), stream=stream)
            check(len(log) == 4 and {place[1] for place in log[:1] + log[2:]} == {stream or lazy}, "in the order of the stream", log)
            pointer = a.place()[0]
            cuda("MemcpyAsync", address(pointer), address(y.ctypes.data), ctypes.c_size_t(y.nbytes), TO_DEVICE, address(lazy))
            check(not same_stats(gpuenv.stats(a, stream=stream), gpuenv.stats(y), make), "waits for the samples", make)
y = x[::-1].copy()

# DLPack's producers are told the stream; those of the interface name theirs.
own = make_stream()
other = Exporter(x, own=own)
y = x[::-1].copy()
cuda("MemcpyAsync", address(other.pointer), address(y.ctypes.data), ctypes.c_size_t(y.nbytes), TO_DEVICE, address(own))
got = gpuenv.minmax(other, 9)
check(other.asked == [1], "the legacy stream has the number 1", other.asked)
check(all(same(g.get(0), d[::-1]) for g, d in zip(got, due)), "DLPack's producer makes our stream wait")
given = make_stream()
got = gpuenv.minmax(other, 9, stream=given)
check(other.asked == [1, given] and same(got[0].get(given), due[0][::-1]), "DLPack's producer is told the stream", other.asked)
for stream in [0, given]:
    own = make_stream()
    other = Interface(x, stream=own)
    cuda("MemcpyAsync", address(other.pointer), address(y.ctypes.data), ctypes.c_size_t(y.nbytes), TO_DEVICE, address(own))
    got = None

    def call():
        global got
        got = gpuenv.minmax(other, 9, stream=stream)

    call()
    check(launches(call)[0] == 0, "no waiting for the producer")
    check(all(same(g.get(stream), d[::-1]) for g, d in zip(got, due)), "waits for the producer's stream", stream)

# What is enqueued is not done: it could be captured.
graph, replay = ctypes.c_void_p(), ctypes.c_void_p()
captured = make_stream()
a, room = cupy_array(x), (cupy_array(np.zeros(due[0].shape, "f4")), cupy_array(np.zeros(due[0].shape, "f4")))
apart = torch_tensor(np.zeros(due[1].shape, "f4"))
with using("cupy", 0, captured):
    gpuenv.minmax(a, 9, out=room)  # finds the workspace's size
    work = alloc(1 << 14)  # stays, as the pool of a graph does
    cuda("StreamBeginCapture", address(captured), 1)
    gpuenv.minmax(a, 9, out=room)
    gpuenv.minmax(a, 9, out=room, stream=captured)
    gpuenv.maximum(a, 9, out=apart)  # PyTorch's stream stays outside
    cuda("StreamEndCapture", address(captured), ctypes.byref(graph))
y = samples(rng, x.shape, "f4")
cuda("MemcpyAsync", address(a.data.ptr), address(y.ctypes.data), ctypes.c_size_t(y.nbytes), TO_DEVICE, address(captured))
cuda("GraphInstantiate", ctypes.byref(replay), graph, ctypes.c_ulonglong(0))
cuda("GraphLaunch", replay, address(captured))
check(all(same(r.get(captured), d) for r, d in zip((*room, apart), (*gpuenv.minmax(y, 9), gpuenv.maximum(y, 9)))), "a graph")
orders(0)

# ---- several devices

emu.emu_set_devices(2)
for library, make in [("cupy", cupy_array), ("torch", torch_tensor)]:
    a = make(x, 1)
    del log[:]
    got = gpuenv.minmax(a, 9)
    check(device_now() == 0 and all(place[0] == 1 for place in log) and len(log) == 2, "the device of the array", library, log)
    check(all(same(g.get(), d) for g, d in zip(got, due)), "another device", library)
    with on_device(1):
        given = make_stream()
    check(same(gpuenv.maximum(a, 9, stream=given).get(given), due[1]), "another device and stream", library)
    check(device_now() == 0, "the current device stays", library)
    message = raises(ValueError, gpuenv.maximum, a, 9, out=make(np.zeros(due[0].shape, "f4"), 0))
    check("cuda:1" in message and "cuda:0" in message, "two devices", library, message)
    check(not same_stats(gpuenv.stats(a), gpuenv.stats(x), make) and device_now() == 0, "statistics there", library)
check(same(gpuenv.maximum(Interface(x, device=1), 9).get(), due[1]), "the device of a pointer")
check(same(gpuenv.maximum(Exporter(x, device=1), 9).get(), due[1]), "the device of DLPack")

# ---- what is refused

a = cupy_array(x)
for dtype in ["i8", "u8"]:
    message = raises(ValueError, gpuenv.maximum, cupy_array(x.astype(dtype)), 3)
    check("float64" in message and message.startswith("x "), dtype, message)
check_refused("arguments", globals())
message = raises(ValueError, gpuenv.maximum, a, 3, out=cupy_array(np.zeros((4, 398), "f4"), skew=2))
check("aligned" in message and message.startswith("out "), "unaligned results", message)
t = torch_tensor(x)
t.dtype = torch.bfloat16
check("bfloat16" in raises(TypeError, gpuenv.maximum, t, 3), "bfloat16")
t = torch_tensor(x)
t.requires_grad = True
check("detach" in raises(ValueError, gpuenv.maximum, t, 3), "gradients")
t = torch_tensor(x)
t.is_neg = lambda: True
check("resolve_neg" in raises(ValueError, gpuenv.maximum, t, 3), "negative")
for face in [
    gpuenv.Stream(3).push, lambda a: gpuenv.scipy.maximum_filter1d(a, 3), lambda a: gpuenv.bottleneck.move_max(a, 3),
]:  # fmt: skip
    for array in [a, torch_tensor(x), Interface(x), Exporter(x)]:
        message = raises(ValueError, face, array)
        check("copy" in message and ".cpu()" in message, "works in memory", face, message)


class Broken(Exporter):
    def __dlpack__(self, stream=None):
        raise BufferError("no export")


check("no export" in raises(BufferError, gpuenv.maximum, Broken(x), 3), "what a producer raises")
both = Broken(x)
both.interface = Interface(x)
both.__cuda_array_interface__ = both.interface.__cuda_array_interface__
check(same(gpuenv.maximum(both, 9).get(), due[1]), "types that DLPack lacks")
emu.emu_fail(b"launch", 1)
message = raises(RuntimeError, gpuenv.maximum, a, 9)
check("filter" in message, "a launch that fails", message)
emu.emu_fail(None, 0)
check(same(gpuenv.maximum(a, 9).get(), due[1]), "and then one that does not")



def full(size, stride, dtype, device):
    if dtype is torch.uint8:
        raise MemoryError("no memory")
    return torch_empty_strided(size, stride, dtype, device)


torch.empty_strided = full
check("no memory" in raises(MemoryError, gpuenv.maximum, torch_tensor(x.astype("c8")), 3), "what an allocator raises")
check("no memory" in raises(MemoryError, gpuenv.stats, torch_tensor(x.astype("i2"))), "and for statistics")
torch.empty_strided = torch_empty_strided

# ---- many threads, and what is left

faults = []


def repeat(seed):
    own_rng = np.random.default_rng(seed)
    device = seed % 4
    x = y[seed % 3 :]
    with on_device(device):
        stream = make_stream()
    a = (cupy_array if seed % 8 < 4 else torch_tensor)(x, device)
    for _ in range(4):
        w = int(own_rng.integers(1, 40))
        got = gpuenv.minmax(a, w, stream=stream)
        if not all(same(g.get(stream), d) for g, d in zip(got, gpuenv.minmax(x, w))):
            faults.append((device, w))
        if same_stats(gpuenv.stats(a, stream=stream), gpuenv.stats(x), None) or device_now() != 0:
            faults.append((device, "statistics"))


emu.emu_set_devices(4)
y = samples(rng, (6, 700), "f4")
threads = [threading.Thread(target=repeat, args=(seed,)) for seed in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check(not faults, "threads on several devices", faults)

cuda("DeviceSynchronize")
gc.collect()
before = living[0], emu.emu_live_objects(), sys.getrefcount(None), sys.getrefcount(a), sys.getrefcount(cupy)
events = make_stream()
for _ in range(300):
    gpuenv.maximum(a, 1000)
    gpuenv.minmax(a, 9, stream=events)
    gpuenv.stats(a, stream=events)
    raises(ValueError, gpuenv.maximum, a, 9, nan="error")
    raises(ValueError, gpuenv.maximum, a, 9, out=a)
    gpuenv.maximum(Interface(x), 1000)
cuda("DeviceSynchronize")
gc.collect()
after = living[0], emu.emu_live_objects(), sys.getrefcount(None), sys.getrefcount(a), sys.getrefcount(cupy)
check(after[0] == before[0] and abs(after[1] - before[1]) < 30, "what is left", before, after)
check(all(abs(b - a) < 250 for b, a in zip(before[2:], after[2:])), "references", before, after)

finish()
