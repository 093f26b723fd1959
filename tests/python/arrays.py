# SPDX-License-Identifier: MIT
"""Arrays as other libraries hand them over: buffers of ctypes, DLPack of all versions, read-only, strange and hostile ones.

    arrays.py PACKAGE_DIR
"""

import copy
import ctypes
import math
import multiprocessing
import pathlib
import pickle
import shutil
import subprocess
import tempfile

from capsules import COPIED, READ_ONLY, capsule, tensor
from package import *
from harness import FEW, check, finish

# ---- buffers without strides

flat = multiprocessing.RawArray("i", [3, 1, 4, 1, 5])
check(same(gpuenv.maximum(flat, 2), np.array([3, 4, 4, 5], "i4")), "RawArray")
table = ((ctypes.c_double * 3) * 2)((1, 2, 3), (6, 5, 4))
extremes = gpuenv.maximum(table, 2, axis=0), gpuenv.minimum(table, 2), gpuenv.stats(table).max
check([found.tolist() for found in extremes] == [[[6, 5, 4]], [[1, 2], [5, 4]], [3, 6]], "an array of ctypes", extremes)
results = (ctypes.c_double * 4)()
check(gpuenv.maximum(flat, 2, out=results) is results and list(results) == [3, 4, 4, 5], "results in ctypes")
check(raises(TypeError, gpuenv.maximum, math.prod([1] * 70, start=ctypes.c_int)(), 1), "70 dimensions")
scaled = np.zeros(4).view((getattr(np, "_core", None) or np.core)._multiarray_umath._get_sfloat_dtype()(1.0))
check(scaled.dtype.num < 0 and raises(TypeError, gpuenv.maximum, scaled, 2), "a type without a number")

# ---- DLPack


class Array:
    """An array by DLPack alone. `asked` are the arguments that its library was called with."""

    def __init__(self, x, version=(1, 0), flags=0, **wrong):
        self.x, self.version, self.flags = np.asarray(x), version, flags
        self.tensor = tensor(self.x.ctypes.data, self.x.shape, self.x.strides, self.x.dtype)
        for name, value in wrong.items():
            setattr(self.tensor, name, value)
        self.keep, self.asked = [], []

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **named):
        self.asked.append(named)
        return capsule(self.keep, self.tensor, self.version, self.flags)


class Older(Array):
    """Of a library from before version 1."""

    def __dlpack__(self, stream=None):
        return capsule(self.keep, self.tensor)


x = np.array([3.0, 1, 4, 1, 5])
due = gpuenv.maximum(x, 2)
check(same(gpuenv.maximum(array := Array(x), 2), due), "version 1")
check(array.asked == [{"max_version": (1, 0)}], "asks for version 1", array.asked)
check(same(gpuenv.maximum(Older(x), 2), due), "a producer that knows no versions")
check(same(gpuenv.maximum(Array(x, (1, 9)), 2), due), "a later version 1")
check("version 2" in raises(BufferError, gpuenv.maximum, Array(x, (2, 0)), 2), "a version that is not known")
for flags in (READ_ONLY, COPIED):
    check(same(gpuenv.maximum(Array(x, flags=flags), 2), due), "samples may be read-only")
    room = Array(np.zeros(4), flags=flags)
    check("read-only" in raises(ValueError, gpuenv.maximum, x, 2, out=room) and not room.x.any(), "results may not", flags)
for make in (Array, Older):
    room = make(np.zeros(4))
    check(gpuenv.maximum(x, 2, out=room) is room and same(room.x, due), "results by DLPack", make)


if sys.version_info >= (3, 12):  # classes may have buffers: as arrays of JAX, whose capsules have no version

    class Frozen(Older):
        def __buffer__(self, flags):
            return memoryview(bytes(self.x))

    room = Frozen(np.zeros(4))
    check("read-only" in raises(ValueError, gpuenv.maximum, x, 2, out=room) and not room.x.any(), "a read-only buffer")
room = Older(np.zeros(4))
room.__cuda_array_interface__ = {"data": (0, True)}
check("read-only" in raises(ValueError, gpuenv.maximum, x, 2, out=room) and not room.x.any(), "a read-only interface")

# What no array has: each is refused before it is read.
far = (ctypes.c_int64 * 2)(2**40, 2**40)
for wrong in [
    {"ndim": -(2**31)}, {"ndim": -1}, {"ndim": 65}, {"lanes": 2}, {"bits": 12}, {"bits": 0}, {"code": 9},
    {"shape": (ctypes.c_int64 * 1)(-1)}, {"shape": (ctypes.c_int64 * 1)(2**62)}, {"shape": (ctypes.c_int64 * 1)(-(2**63))},
    {"strides": (ctypes.c_int64 * 1)(2**61)}, {"strides": (ctypes.c_int64 * 1)(2**60)}, {"strides": (ctypes.c_int64 * 1)(-(2**63))},
    {"ndim": 2, "shape": far, "strides": (ctypes.c_int64 * 2)(0, 0)}, {"ndim": 2, "shape": far, "strides": None},
    {"shape": None}, {"shape": None, "strides": None}, {"data": None},
]:  # fmt: skip
    for version in (None, (1, 0)):
        for function in (lambda a: gpuenv.minmax(a, 2), gpuenv.stats, gpuenv.Stream(2).push):
            check(raises((TypeError, ValueError), function, Array(x, version, **wrong)), "a broken tensor", wrong, version)
        check(raises((TypeError, ValueError), gpuenv.maximum, x, 2, out=Array(np.zeros(4), version, **wrong)), "out", wrong)
check(gpuenv.maximum(Array(np.zeros(0), data=None), 2).size == 0, "no samples need no memory")
most = Array(np.zeros(1), ndim=64, shape=(ctypes.c_int64 * 64)(*[1] * 64), strides=None)
check(raises(ValueError, gpuenv._core.records, most, 0, 1), "statistics have a dimension more than an array of all")
inner = gpuenv._core.stream(np.zeros((1, 1)), 2)
for wrong in [np.zeros((4, 1), "f4"), np.zeros((4, 1), "i8"), np.zeros((4, 1), "c16")]:
    check(raises(TypeError, inner.push, wrong), "the type of a stream", wrong.dtype)
inner = gpuenv._core.stream(np.zeros((1, 1), "?"), 2)
check(raises(TypeError, inner.push, np.full((4, 1), 255, "u1")), "the type of a stream of bool")

# ---- libraries of the array API


class Strict:
    """Without a method view(), as array_api_strict has it, and with a from_dlpack() that takes no bool."""

    def __init__(self, x):
        self.x, self.dtype, self.array = x, x.dtype, Array(x, None)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __array_namespace__(self):
        return Strict

    @staticmethod
    def from_dlpack(x):
        if x.dtype == "?":
            raise BufferError("no bool")
        return Strict(x)

    @staticmethod
    def astype(x, dtype):
        return Strict(x.x.astype(dtype))


got = gpuenv.maximum(Strict(np.array([True, False, False])), 2)
check(type(got) is Strict and same(got.x, np.array([True, False])), "bool without view()")

# ---- bool with other bytes than 0 and 1

rng = np.random.default_rng(3)
for shape in [(39,), (40,), (5, 30), (3, 4, 20)]:
    odd = rng.choice(np.array([0, 1, 2, 255], "u1"), shape)
    for odd in [odd, np.asfortranarray(odd), odd[..., ::-2], np.broadcast_to(odd, (2, *shape))]:
        mask, truth = odd.view("?"), odd != 0
        for one in ["minimum", "maximum", "absmax", "ptp", "mid"]:
            one = getattr(gpuenv, one)
            got = one(mask, 3)
            check(got.tobytes() == one(truth, 3).tobytes(), "masks", one, shape, odd.strides)
        check(np.nanmax(gpuenv.bottleneck.move_max(mask, 2)) == truth.max(), "move_max")
        check(np.array_equal(gpuenv.stats(mask).sum, gpuenv.stats(truth).sum), "stats")
        pushed = gpuenv.Stream(3).push(mask)[1]
        check(pushed.tobytes() == gpuenv.maximum(truth, 3).tobytes(), "a stream")
mask = np.array([0, 255, 2, 0], "u1").view("?")
check(gpuenv.maximum(mask, 2, out=mask[:3]).view("u1").tolist() == [1, 1, 1], "in place")
check(gpuenv.maximum(np.array(255, "u1").view("?").reshape(1), 1).view("u1").tolist() == [1], "one")
check(gpuenv.maximum(np.broadcast_to(True, 2**25), 2, hop=2**24).tolist() == [True, True], "an array that is not in memory")

# ---- many channels, and none: each call ends within the time of the test

for shape in [(4, 1, 2), (4, 1, 65), (4, 1, 2050), (2, 1, 10**5)]:
    for dtype in DTYPES[:: 5 if FEW else 1]:
        whole = samples(rng, shape, dtype)
        for part in (whole, np.asfortranarray(whole), whole[..., ::-1]):
            words = (dtype, shape, part.strides)
            check(same(gpuenv.maximum(part, 1, axis=1, nan="error"), part), "channels", *words)
for shape, axis in [((2**33, 0), 1), ((2**33, 0), 0), ((0, 2**33), 0), ((3, 0, 2**32), 1)]:
    none = np.zeros(shape, "f4")
    for nan in ("propagate", "omit", "error"):
        check(gpuenv.minmax(none, 1, axis=axis, nan=nan)[0].size == 0, "no samples", shape, axis, nan)
        check(gpuenv.zoom(none, 9, axis=axis, nan=nan, emit="mean,argmin")[0].size == 0, "no samples", shape, axis, nan)
for dtype in "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8".split():
    for shape, axis in (((4, 1, 2050), 1), ((9000, 1), 1), ((1, 20000), 0), ((2, 1, 30000, 1), 1)):
        ones = np.ones(shape, dtype)
        for function, due in ((gpuenv.maximum, 1), (gpuenv.absmax, 1), (gpuenv.ptp, 0), (gpuenv.argmin, 0)):
            check((function(ones, 1, axis=axis) == due).all(), function.__name__, dtype, shape)
for shape, axis in (((2**33, 0), 1), ((0, 2**33, 2), 0), ((2**20, 2, 2**20, 0), 3), ((2**33, 0, 2), 0)):
    for view in (np.zeros(shape, "f4"), np.zeros(shape, "f4")[::2]):
        wanted = (view.shape[axis] - 1,) if view.shape[axis] > 0 else (0,)
        low, _ = gpuenv.minmax(view, 2, axis=axis, nan="error")
        check(low.shape == view.shape[:axis] + wanted + view.shape[axis + 1 :], "no samples", shape)

# ---- streams, copies and names

check("main memory" in raises(ValueError, gpuenv.minmax, x, 2, stream=2), "a stream is for devices")
stream = gpuenv.Stream(2)
stream.push(x)
for function in (copy.copy, copy.deepcopy, pickle.dumps):
    check("cannot be copied" in raises(TypeError, function, stream), "a stream has one owner", function)
names = {"scipy": 1, "bottleneck": 2}
exec("from gpuenv import *", names)
check(names["scipy"] == 1 and names["bottleneck"] == 2 and names["minmax"] is gpuenv.minmax, "from gpuenv import *")
message = raises(MemoryError, gpuenv.Stream(2**50).push, x)
check("window" in message and "width" not in message, "words of Python", message)
message = raises(ValueError, gpuenv.maximum, x, 2, align="center", out=np.lib.stride_tricks.as_strided(x, (5,), (0,)))
check("width" not in message and "in " not in message[:3], "words of Python", message)

# ---- a package without its extension

with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(pathlib.Path(gpuenv.__file__).resolve().parent, folder + "/gpuenv", ignore=shutil.ignore_patterns("*.so"))
    run = subprocess.run([sys.executable, "-c", "import gpuenv"], cwd=folder, capture_output=True, text=True)
    last = run.stderr.strip().rpartition("\n")[2]
    check(last.startswith("ImportError") and "pip install" in last and "circular" not in run.stderr, "what to build", run.stderr)

finish()
