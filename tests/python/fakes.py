# SPDX-License-Identifier: MIT
"""CuPy and PyTorch as far as gpuenv uses them, on the emulated device of tests/emu/, whose functions are in the module.

Memory is that of a pool which works in the order of streams, as theirs do: what is freed is overwritten on the stream
that it was allocated on, and is there for the next one. So a kernel on another stream finds wrong samples."""

import collections
import ctypes
import sys
import threading
import types

from capsules import DLTensor, capsule, tensor
from package import *

emu = ctypes.CDLL(sys.modules["gpuenv._core"].__file__)
emu.emu_calls.restype = emu.emu_live_objects.restype = ctypes.c_ulong
EAGER, LAZY, RANDOM = range(3)
TO_DEVICE, FROM_DEVICE = 1, 2


def cuda(name, *arguments):
    status = getattr(emu, "cuda" + name)(*arguments)
    if status:
        raise RuntimeError(f"cuda{name}: {status}")


def address(number):
    return ctypes.c_void_p(number or None)


def make_stream():
    made = ctypes.c_void_p()
    cuda("StreamCreateWithFlags", ctypes.byref(made), 1)
    return made.value


def device_now():
    number = ctypes.c_int()
    cuda("GetDevice", ctypes.byref(number))
    return number.value


class on_device:
    def __init__(self, number):
        self.number = number

    def __enter__(self):
        self.before = device_now()
        cuda("SetDevice", self.number)

    def __exit__(self, *_):
        cuda("SetDevice", self.before)


# ---- memory

_pool = collections.defaultdict(list)
log = []  # (device, stream, bytes) of what was allocated
living = [0]


class Memory:
    def __init__(self, device, stream, size):
        log.append((device, stream, size))
        self.place = device, stream, max(256, 1 << (size - 1).bit_length()) if size else 0
        self.ptr = 0
        living[0] += 1
        if size:
            if not _pool[self.place]:
                made = ctypes.c_void_p()
                with on_device(device):
                    cuda("Malloc", ctypes.byref(made), ctypes.c_size_t(self.place[2]))
                _pool[self.place].append(made.value)
            self.ptr = _pool[self.place].pop()

    def __del__(self):
        living[0] -= 1
        if self.ptr:
            device, stream, size = self.place
            with on_device(device):
                cuda("MemsetAsync", address(self.ptr), 0xA5, ctypes.c_size_t(size), address(stream))
            _pool[self.place].append(self.ptr)


def bounds(x):
    """The address of the first byte of an array of NumPy, and of the end."""
    return np.byte_bounds(x) if hasattr(np, "byte_bounds") else np.lib.array_utils.byte_bounds(x)


def store(x, device, stream, skew=0):
    """The bytes of an array on the device: their memory, and the place of the first sample."""
    if not x.size:
        return Memory(device, stream, 0), 0
    low, high = bounds(x)
    memory = Memory(device, stream, high - low + skew)
    with on_device(device):
        cuda("MemcpyAsync", address(memory.ptr + skew), address(low), ctypes.c_size_t(high - low), TO_DEVICE, address(stream))
        cuda("StreamSynchronize", address(stream))
    return memory, memory.ptr + skew + x.ctypes.data - low


def load(pointer, shape, strides, dtype, stream=None):
    """An array of NumPy with samples from the device; of what a stream has done, if one is given."""
    room = np.zeros(shape, dtype)
    if not room.size:
        return room
    reach = [(n - 1) * s for n, s in zip(shape, strides)]
    low = sum(r for r in reach if r < 0)
    size = sum(r for r in reach if r > 0) - low + room.itemsize
    raw = np.empty(size, "u1")
    if stream is None:
        cuda("Memcpy", address(raw.ctypes.data), address(pointer + low), ctypes.c_size_t(size), FROM_DEVICE)
    else:
        cuda("MemcpyAsync", address(raw.ctypes.data), address(pointer + low), ctypes.c_size_t(size), FROM_DEVICE, address(stream))
        cuda("StreamSynchronize", address(stream))
    return np.ndarray(shape, dtype, raw.data, -low, strides).copy()


# ---- what both have

_current = threading.local()  # each thread has its own


def current(library, device):
    return getattr(_current, library, {}).get(device, 0)


class using:
    """A stream is the current one of a library."""

    def __init__(self, library, device, stream):
        self.library, self.device, self.stream = library, device, stream

    def __enter__(self):
        self.before = current(self.library, self.device)
        self.become(self.stream)

    def __exit__(self, *_):
        self.become(self.before)

    def become(self, stream):
        setattr(_current, self.library, {**getattr(_current, self.library, {}), self.device: stream})


def wait(device, stream, before):
    """As producers do: a stream waits for another one."""
    if stream == before:
        return
    event = ctypes.c_void_p()
    with on_device(device):
        cuda("EventCreateWithFlags", ctypes.byref(event), 2)
        cuda("EventRecord", event, address(before))
        cuda("StreamWaitEvent", address(stream), event, 0)
        cuda("EventDestroy", event)


class Stored:
    """What both have; `place()` is (pointer, dtype of NumPy)."""

    def get(self, stream=None):
        with on_device(self.number()):
            return load(self.place()[0], self.shape, self.strides, self.place()[1], stream)


# ---- CuPy

cupy = types.ModuleType("cupy")
cupy.cuda = types.SimpleNamespace()


class MemoryPointer:
    def __init__(self, memory, pointer, device):
        self.mem, self.ptr, self.device_id = memory, pointer, device

    def __add__(self, offset):
        return MemoryPointer(self.mem, self.ptr + offset, self.device_id)


def alloc(size):
    device = device_now()
    memory = Memory(device, current("cupy", device), size)
    return MemoryPointer(memory, memory.ptr, device)


class ndarray(Stored):
    __module__ = "cupy"

    def __init__(self, shape, dtype=float, memptr=None, strides=None, order="C"):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        size = int(np.prod(self.shape, dtype=int)) * self.dtype.itemsize
        self.strides = strides or np.empty(self.shape, self.dtype, order).strides
        self.data = memptr or alloc(size)

    def number(self):
        return self.data.device_id

    def place(self):
        return self.data.ptr, self.dtype

    def __dlpack_device__(self):
        return 2, self.data.device_id

    def __dlpack__(self, stream=None):
        raise AssertionError("arrays of CuPy need no DLPack, which asks the driver")

    @property
    def __cuda_array_interface__(self):
        raise AssertionError("arrays of CuPy need no dict")


def cupy_array(x, device=None, skew=0):
    """An array of NumPy with its strides."""
    device = device_now() if device is None else device
    memory, pointer = store(x, device, current("cupy", device), skew)
    return ndarray(x.shape, x.dtype, MemoryPointer(memory, pointer, device), x.strides)


class CupyBaseStream:
    def __init__(self, ptr, device):
        self.ptr, self.device_id = ptr, device

    def __enter__(self):
        assert self.device_id in (-1, device_now()), "a stream of another device"
        self.used = using("cupy", device_now(), self.ptr)
        self.used.__enter__()

    def __exit__(self, *_):
        self.used.__exit__()


class CupyStream(CupyBaseStream):
    def __init__(self, ptr=None):
        super().__init__(make_stream() if ptr is None else ptr, -1)


class CupyExternalStream(CupyBaseStream):
    def __init__(self, *_):
        raise DeprecationWarning("use Stream.from_external()")


CupyStream.null = CupyStream(0)
CupyStream.ptds = CupyStream(2)
cupy.ndarray = ndarray
cupy.empty = ndarray
cupy.cuda.alloc = alloc
cupy.cuda.is_available = lambda: True
cupy.cuda.Device = on_device
cupy.cuda.Stream = CupyStream
cupy.cuda.ExternalStream = CupyExternalStream
cupy.cuda.get_current_stream = lambda device: types.SimpleNamespace(ptr=current("cupy", device))
cupy.cuda.runtime = types.SimpleNamespace(getDevice=device_now)

# ---- PyTorch

torch = types.ModuleType("torch")
_names = "float32 float64 float16 int8 uint8 int16 int32 int64 complex64 complex128 bool".split()


class dtype:
    def __init__(self, name):
        self.numpy = np.dtype(name)
        self.name = name

    def __str__(self):
        return "torch." + self.name


for _name in _names:
    setattr(torch, _name, dtype(_name))
torch.bfloat16 = dtype("float16")
torch.bfloat16.name = "bfloat16"
_dtypes = {getattr(torch, name).numpy: getattr(torch, name) for name in _names}


class Tensor(Stored):
    __module__ = "torch"
    is_cuda = True
    requires_grad = False

    def __init__(self, memory, pointer, device, shape, strides, dtype):
        self.memory, self.pointer, self.device, self.dtype = memory, pointer, device, dtype
        self.shape, self.strides = tuple(shape), strides
        self.recorded = []

    def number(self):
        return self.device

    def place(self):
        return self.pointer, self.dtype.numpy

    def like(self, pointer, shape, strides, dtype):
        return Tensor(self.memory, pointer, self.device, shape, strides, dtype)

    def view(self, dtype):
        size = self.dtype.numpy.itemsize
        assert len(self.shape) == 1 and self.strides == (size,) and dtype.numpy.itemsize <= size
        return self.like(self.pointer, [self.shape[0] * size // dtype.numpy.itemsize], (dtype.numpy.itemsize,), dtype)

    def as_strided(self, shape, strides, offset):
        size = self.dtype.numpy.itemsize
        assert not np.prod(shape) or offset + sum((n - 1) * s for n, s in zip(shape, strides)) < self.shape[0]
        return self.like(self.pointer + offset * size, shape, tuple(s * size for s in strides), self.dtype)

    def unbind(self):
        first, *others = self.strides
        return tuple(self.like(self.pointer + i * first, self.shape[1:], tuple(others), self.dtype) for i in range(self.shape[0]))

    def is_neg(self):
        return False

    def data_ptr(self):
        return self.pointer

    def record_stream(self, stream):
        self.recorded.append(stream.cuda_stream)

    def get_device(self):
        return self.device

    def __dlpack_device__(self):
        return 2, self.device

    def __dlpack__(self, stream=None):
        raise AssertionError("takes longer than to_dlpack()")


def to_dlpack(x):
    x.keep = getattr(x, "keep", [])[-3:]  # of the last calls
    if x.dtype is torch.bfloat16:
        return capsule(x.keep, DLTensor(x.pointer, 2, x.device, 0, 4, 16, 1))
    return capsule(x.keep, tensor(x.pointer, x.shape, x.strides, x.dtype.numpy, 2, x.device))


def torch_tensor(x, device=0, skew=0):
    memory, pointer = store(x, device, current("torch", device), skew)
    return Tensor(memory, pointer, device, x.shape, x.strides, _dtypes[x.dtype])


class TorchStream:
    def __init__(self, cuda_stream=None, device=0):
        self.cuda_stream = make_stream() if cuda_stream is None else cuda_stream
        self.device = device


def external(address, device):
    assert address not in (0, 1), "PyTorch would make a new stream"
    return TorchStream(address, device)


torch.Tensor = Tensor


def torch_empty_strided(size, stride, dtype, device):
    memory = Memory(device, current("torch", device), int(np.prod(size, dtype=int)) * dtype.numpy.itemsize)
    return Tensor(memory, memory.ptr, device, size, tuple(s * dtype.numpy.itemsize for s in stride), dtype)


def torch_empty(size, dtype, device):
    strides = np.empty(size, dtype.numpy).strides if np.prod(size) else (dtype.numpy.itemsize,) * len(size)
    return torch_empty_strided(size, [s // dtype.numpy.itemsize for s in strides], dtype, device)


torch.empty, torch.empty_strided = torch_empty, torch_empty_strided
torch.device = lambda kind, number: number
torch.utils = types.SimpleNamespace(dlpack=types.SimpleNamespace(to_dlpack=to_dlpack))
torch.cuda = types.SimpleNamespace(
    is_available=lambda: True,
    init=lambda: None,
    current_stream=lambda device: TorchStream(current("torch", device), device),
    default_stream=lambda device: TorchStream(0, device),
    ExternalStream=external,
    stream=lambda stream: using("torch", stream.device, stream.cuda_stream),
)
torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: current("torch", device))


# ---- others


class Elsewhere:
    """An array of no library."""

    def __init__(self, x, device):
        self.memory, self.pointer = store(x, device, 0)
        self.x, self.device = x, device

    def get(self, stream=None):
        return load(self.pointer, self.x.shape, self.x.strides, self.x.dtype, stream)


class Interface(Elsewhere):
    """__cuda_array_interface__ alone."""

    def __init__(self, x, version=3, device=0, stream=None, **others):
        super().__init__(x, device)
        self.__cuda_array_interface__ = {
            "shape": x.shape, "typestr": x.dtype.str, "data": (self.pointer, False), "version": version,
            "strides": x.strides, "stream": stream, **others,
        }  # fmt: skip
        if version < 3:
            del self.__cuda_array_interface__["stream"]


class Exporter(Elsewhere):
    """DLPack alone, of a producer whose work is on its own stream."""

    def __init__(self, x, device=0, own=0, kind=2):
        super().__init__(x, device)
        self.own, self.kind = own, kind
        self.asked, self.keep = [], []

    def __dlpack_device__(self):
        return self.kind, self.device

    def __dlpack__(self, stream=None):
        self.asked.append(stream)
        wait(self.device, 0 if stream in (None, 1) else stream, self.own)
        x = self.x
        return capsule(self.keep, tensor(self.pointer, x.shape, x.strides, x.dtype, self.kind, self.device))
