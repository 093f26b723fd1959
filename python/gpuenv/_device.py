# SPDX-License-Identifier: MIT
"""Calls on arrays of a CUDA device: their streams, and the library that makes results and workspaces.

Arrays come through DLPack, or with the members of __cuda_array_interface__. CuPy and PyTorch have current streams, and pools
of memory for results and workspaces.
"""

import contextlib
import functools
import importlib
import operator
import sys
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import _core
from ._arrays import from_dlpack_of


def _cupy_stream(cuda: Any, device: int, address: int) -> Any:
    if address in (0, 2):
        return cuda.Stream.ptds if address else cuda.Stream.null
    # Without its own __init__(), which warns that it is deprecated: Stream.from_external() ends the streams of others.
    stream = cuda.ExternalStream.__new__(cuda.ExternalStream)
    super(cuda.ExternalStream, stream).__init__(address, device)
    return stream


class _Cupy:
    name = "cupy"
    always_on_device = True

    def __init__(self, cupy: Any) -> None:
        self.type = cupy.ndarray
        self.current_device = cupy.cuda.runtime.getDevice
        self._alloc = cupy.cuda.alloc
        self._cuda = cupy.cuda
        self._cupy = cupy

    def export(self, x: Any, name: str) -> Tuple[Any, int]:
        # Its __dlpack__() asks the driver about the pointer.
        data = x.data
        return (data.ptr, x.shape, x.strides, x.dtype), data.device_id

    def current_stream(self, device: int) -> int:
        address: int = self._cuda.get_current_stream(device).ptr
        return address

    def empty(self, device: int, shape: Tuple[int, ...], dtype: Any, order: str) -> Tuple[Any, int]:
        array = self.type(shape, dtype, None, None, order)
        return array, array.data.ptr

    def room(self, device: int, size: int) -> Tuple[Any, int]:
        memory = self._alloc(size)
        return memory, memory.ptr

    integer = numpy.dtype("u8")  # of magnitudes

    def cut(self, words: Any, shape: Tuple[int, ...], step: int, first: int, dtype: Any, count: int) -> List[Any]:
        """Arrays in the memory of words: the first one `first` steps of so many bytes from the start, without gaps."""
        size = step // 8 * dtype.itemsize
        return [self.type(shape, dtype, words.data + first * step + i * size) for i in range(count)]

    def within(self, stack: contextlib.ExitStack, device: int, address: int) -> None:
        stack.enter_context(self._cuda.Device(device))
        stack.enter_context(_cupy_stream(self._cuda, device, address))

    def use(self, x: Any, device: int, address: int) -> None:
        """CuPy knows nothing like record_stream()."""


class _Torch:
    name = "torch"
    always_on_device = False

    def __init__(self, torch: Any) -> None:
        self.type = torch.Tensor
        self._torch = torch
        self._export = torch.utils.dlpack.to_dlpack
        self._device = functools.lru_cache(None)(functools.partial(torch.device, "cuda"))
        self._dtypes: Dict[Any, Any] = {}
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self.current_stream = raw or (lambda device: torch.cuda.current_stream(device).cuda_stream)

    def export(self, x: Any, name: str) -> Tuple[Any, int]:
        if x.requires_grad:
            raise ValueError(f"{name} requires gradients, which would be lost: use {name}.detach()")
        if x.is_neg():
            raise ValueError(f"{name} has samples of the other sign: use {name}.resolve_neg()")
        return self._export(x), x.get_device()

    def current_device(self) -> int:
        """Tensors are made on any."""
        return -1

    def _dtype(self, dtype: Any) -> Any:
        kind = self._dtypes[dtype] = getattr(self._torch, dtype.name, None)
        if kind is None:
            raise TypeError(f"this PyTorch has no tensors of {dtype}")
        return kind

    def empty(self, device: int, shape: Tuple[int, ...], dtype: Any, order: str) -> Tuple[Any, int]:
        kind = self._dtypes.get(dtype) or self._dtype(dtype)
        strides = [1]
        for length in shape[:-1] if order == "F" else shape[:0:-1]:
            strides.append(strides[-1] * max(1, length))
        if order != "F":
            strides.reverse()
        # empty() takes a half longer.
        tensor = self._torch.empty_strided(shape, strides, dtype=kind, device=self._device(device))
        return tensor, tensor.data_ptr()

    def room(self, device: int, size: int) -> Tuple[Any, int]:
        tensor = self._torch.empty_strided((size,), (1,), dtype=self._torch.uint8, device=self._device(device))
        return tensor, tensor.data_ptr()

    integer = numpy.dtype("i8")  # PyTorch computes with no other one of 64 bits

    def cut(self, words: Any, shape: Tuple[int, ...], step: int, first: int, dtype: Any, count: int) -> Any:
        """As _Cupy's."""
        strides = [step // 8]
        for length in shape:
            strides.append(strides[-1] // max(1, length))
        kind = self._dtypes.get(dtype) or self._dtype(dtype)
        cells = words if kind is self._torch.int64 else words.view(kind)
        return cells.as_strided((count, *shape), strides, first * step // dtype.itemsize).unbind()

    def _stream(self, device: int, address: int) -> Any:
        # An external stream of address 0 would be a new one.
        cuda = self._torch.cuda
        return cuda.ExternalStream(address, device=device) if address else cuda.default_stream(device)

    def within(self, stack: contextlib.ExitStack, device: int, address: int) -> None:
        stack.enter_context(self._torch.cuda.stream(self._stream(device, address)))

    def use(self, x: Any, device: int, address: int) -> None:
        """PyTorch keeps the memory of x until the stream has done its work."""
        x.record_stream(self._stream(device, address))


_KINDS: Tuple[Any, ...] = (_Cupy, _Torch)


def _find_imported() -> None:
    for kind in _KINDS:
        module = sys.modules.get(kind.name)
        # One that is being imported has no arrays so far.
        if hasattr(module, "empty") and not any(library.name == kind.name for library in _libraries.values()):
            library = kind(module)
            _libraries[library.type] = library
            _core.register(library.type, kind.always_on_device)


class _Libraries(Dict[type, Any]):
    """Those that are imported, by the type of their arrays; None for other types."""

    def __missing__(self, kind: type) -> Any:
        if len(self) < len(_KINDS):
            _find_imported()
        return next((self[parent] for parent in kind.__mro__ if parent in self), None)


_libraries = _Libraries()


def _library_for_others() -> Any:
    """The one that makes results for arrays of a library that is neither CuPy nor PyTorch."""
    for kind in _KINDS:
        try:
            module = importlib.import_module(kind.name)
        except ImportError:
            continue
        if module.cuda.is_available():
            if kind is _Torch:
                module.cuda.init()
            _find_imported()
            return next(library for library in _libraries.values() if library.name == kind.name)
    raise ImportError("results on a CUDA device need CuPy or PyTorch, with CUDA: install one of them")


_serves_others: Any = None


def _address(stream: Any) -> int:
    number = stream
    if not hasattr(stream, "__index__"):
        number = getattr(stream, "ptr", None)
        if number is None:
            number = getattr(stream, "cuda_stream", None)
        if number is None:
            protocol = getattr(stream, "__cuda_stream__", None)
            pair = protocol() if callable(protocol) else protocol
            number = pair[1] if isinstance(pair, tuple) and len(pair) == 2 else None
        if number is None:
            raise TypeError(
                "stream must be a stream of CuPy or PyTorch, an object with __cuda_stream__, or an integer, not "
                + type(stream).__name__
            )
    number = operator.index(number)
    if not 0 <= number < 2**64:
        raise ValueError("stream must be the address of a stream, 0, 1 or 2")
    return 0 if number == 1 else int(number)  # two names of the legacy stream


class _Described:
    """NumPy's own interface has the same members; samples are not read."""

    def __init__(self, interface: Any) -> None:
        pointer, read_only = interface["data"]
        self.__array_interface__ = {
            "shape": interface["shape"],
            "typestr": interface["typestr"],
            "data": (pointer or 1, read_only),  # NumPy takes 0 for no interface
            "strides": interface.get("strides"),
            "version": 3,
        }


def _by_interface(x: Any, name: str) -> Tuple[Any, int, Any]:
    """An array of NumPy that has the address of the samples; their device, and the stream that has made them."""
    interface = x.__cuda_array_interface__
    try:
        described = numpy.asarray(_Described(interface))
    except Exception as error:
        raise TypeError(f"{name} has a __cuda_array_interface__ that cannot be read: {error}") from None
    if interface.get("mask") is not None:
        raise TypeError(f"{name} has a mask, which would be lost")
    if not described.size:
        return described, -1, None
    try:
        device = _core.device_of(interface["data"][0])
    except RuntimeError as error:
        raise ValueError(f"{name} is not in the memory of a CUDA device: {error}") from None
    return described, device, interface.get("stream")


def _export(library: Any, x: Any, name: str) -> Tuple[Any, int]:
    """How an array of CuPy or PyTorch is exported, and its device."""
    try:
        exported: Tuple[Any, int] = library.export(x, name)
        return exported
    except (BufferError, RuntimeError):  # a type that DLPack lacks
        return _by_interface(x, name)[:2]


def _export_other(x: Any, name: str, stream: int, device: int) -> Tuple[Any, int]:
    """The same for other libraries, whose work the stream waits for."""
    if hasattr(x, "__dlpack__"):
        try:
            try:
                return x.__dlpack__(stream=stream or 1, max_version=(1, 0)), device
            except TypeError:  # a producer from before version 1
                return x.__dlpack__(stream=stream or 1), device
        except Exception:
            # Libraries do not export all types by it.
            if not hasattr(x, "__cuda_array_interface__"):
                raise
    exported, device, before = _by_interface(x, name)
    if before is not None:  # else the producer asks for nothing
        _core.wait(device, stream, _address(before), True)
    return exported, device


class Call:
    """A device and a stream, and a library whose current ones they are until close()."""

    _readers: Sequence[int] = ()
    _stack: Optional[contextlib.ExitStack] = None
    entered = False

    def __init__(self, library: Any, own: bool, device: int, stream: int) -> None:
        self._library, self._own, self._device, self._stream = library, own, device, stream

    def enter(self) -> None:
        self.entered = True
        with contextlib.ExitStack() as stack:
            self._library.within(stack, self._device, self._stream)
            self._stack = stack.pop_all()

    def out(self, x: Any, device: int) -> Tuple[Any, int, bool]:
        """An array for results: how it is exported, its device, and whether it is of CuPy or PyTorch."""
        library = _libraries[type(x)]
        if library is None:
            return (*_export_other(x, "out", self._stream, device), False)
        exported, device = _export(library, x, "out")
        if library is not self._library or not self._own:
            current = library.current_stream(device)
            _core.wait(device, self._stream, current, True)
            if current != self._stream:
                self._readers = (*self._readers, current)
        if self._stack is not None and library is self._library:
            library.use(x, self._device, self._stream)
        return exported, device, True

    def done(self) -> None:
        """Lets the streams of other libraries wait for results."""
        for stream in self._readers:
            _core.wait(self._device, stream, self._stream, False)

    def give(self, x: Any, result: Any) -> Any:
        """An array of CuPy or PyTorch as one of the library of x, if that takes one."""
        take = from_dlpack_of(x)
        return result if take is None else take(result)

    def close(self) -> None:
        if self._stack is not None:
            self._stack.close()


def begin(x: Any, stream: Any, device: int) -> Tuple[Call, Any, bool, Any, int, int, bool]:
    """A call on an array, the library that makes results, whether that is the array's, how the array is exported, its
    device, the address of the stream, and whether the call is to be closed. `device` is that of DLPack."""
    global _serves_others
    library = _libraries[type(x)]
    own = library is not None
    address = 0 if stream is None else _address(stream)
    if own:
        exported, device = _export(library, x, "x")
    else:
        exported, device = _export_other(x, "x", address, device)
        if _serves_others is None:
            _serves_others = _library_for_others()
        library = _serves_others
    here = library.current_device()
    if device < 0:  # unknown, as of arrays without samples
        device = max(here, 0)
    current = library.current_stream(device)
    if own and stream is None:
        address = current
    call = Call(library, own, device, address)
    if address != current or here not in (device, -1):
        if own:
            _core.wait(device, address, current, True)
            library.use(x, device, address)
        call.enter()
    return call, library, own, exported, device, address, call.entered
