"""Arrays on a CUDA device: what the extension module needs rarely."""

import contextlib
import importlib
import sys
from typing import Any

from ._arrays import from_dlpack_of


def library() -> str:
    """The module that makes results for arrays of a library that is neither CuPy nor PyTorch."""
    for name in ("cupy", "torch"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if module.cuda.is_available():
            if name == "torch":
                module.cuda.init()
            return name
    raise ImportError("results on a CUDA device need CuPy or PyTorch, with CUDA: install one of them")


def _cupy_stream(cuda: Any, device: int, address: int) -> Any:
    if address == 0:
        return cuda.Stream.null
    if address == 2:
        return cuda.Stream.ptds
    # Without its own __init__(), which warns that it is deprecated: Stream.from_external() ends the streams of others.
    stream = cuda.ExternalStream.__new__(cuda.ExternalStream)
    super(cuda.ExternalStream, stream).__init__(address, device)
    return stream


class within:
    """A device and a stream are the current ones of a library, until close()."""

    def __init__(self, name: str, device: int, address: int) -> None:
        cuda = sys.modules[name].cuda
        self._torch_stream: Any = None
        with contextlib.ExitStack() as stack:
            if name == "cupy":
                stack.enter_context(cuda.Device(device))
                stack.enter_context(_cupy_stream(cuda, device, address))
            else:
                # An external stream of address 0 would be a new one.
                make = cuda.ExternalStream
                self._torch_stream = make(address, device=device) if address else cuda.default_stream(device)
                stack.enter_context(cuda.stream(self._torch_stream))
            self._stack = stack.pop_all()

    def use(self, x: Any) -> None:
        """PyTorch keeps the memory of x until the stream has done its work; CuPy knows nothing like it."""
        if self._torch_stream is not None:
            x.record_stream(self._torch_stream)

    def close(self) -> None:
        self._stack.close()


def give_back(x: Any, result: Any) -> Any:
    """An array of CuPy or PyTorch as one of the library of x, if that takes one."""
    take = from_dlpack_of(x)
    return result if take is None else take(result)
