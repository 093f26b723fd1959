"""The extension module."""

import datetime
from typing import Any, Optional, Protocol, Sequence, SupportsIndex, Tuple, Union, final, overload

import numpy

__version__: str

_Out = Union[Tuple[Any, Any], Sequence[Any], None]

class _OfCuPy(Protocol):
    @property
    def ptr(self) -> int: ...

class _OfPyTorch(Protocol):
    @property
    def cuda_stream(self) -> int: ...

class _OfCuda(Protocol):
    def __cuda_stream__(self) -> Tuple[int, int]: ...

# With times: a length of time.
_Width = Union[SupportsIndex, float, str, datetime.timedelta, "numpy.timedelta64"]
_Stream = Union[SupportsIndex, _OfCuPy, _OfPyTorch, _OfCuda, None]

def minmax(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: _Out = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Tuple[Any, Any]: ...
def minimum(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Any: ...
def maximum(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Any: ...
def absmax(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Any: ...
def ptp(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Any: ...
def mid(
    x: Any,
    w: _Width,
    *,
    axis: Optional[SupportsIndex] = ...,
    align: str = ...,
    edge: str = ...,
    hop: SupportsIndex = ...,
    nan: Optional[str] = ...,
    min_count: Optional[SupportsIndex] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
    times: Any = ...,
    closed: str = ...,
) -> Any: ...
@overload
def zoom(
    x: Any,
    n: SupportsIndex,
    *,
    axis: Optional[SupportsIndex] = ...,
    nan: Optional[str] = ...,
    out: _Out = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
) -> Tuple[Any, Any]: ...
@overload
def zoom(
    x: Any,
    n: SupportsIndex,
    *,
    emit: Union[str, Sequence[str]],
    axis: Optional[SupportsIndex] = ...,
    nan: Optional[str] = ...,
    out: Any = ...,
    threads: Optional[SupportsIndex] = ...,
    stream: _Stream = ...,
) -> Any: ...
def check(x: Any, /) -> None: ...
def register(kind: type, always: bool, /) -> None: ...
def device_of(pointer: int, /) -> int: ...
def wait(device: int, stream: int, before: int, joins: bool, /) -> None: ...
def records(x: Any, axis: int, every: int, /) -> bytes: ...
def device_records(x: Any, axis: int, every: int, stream: Any, finish: Any, /) -> Any: ...

@final
class Stream:
    def __new__(
        cls,
        x: Any,
        w: SupportsIndex,
        *,
        axis: SupportsIndex = ...,
        align: str = ...,
        edge: str = ...,
        hop: SupportsIndex = ...,
        nan: Optional[str] = ...,
        min_count: Optional[SupportsIndex] = ...,
        threads: Optional[SupportsIndex] = ...,
    ) -> "Stream": ...
    def push(self, x: Any, /) -> Tuple[Any, Any]: ...
    def finish(self, room: int, /) -> Tuple[Any, Any]: ...
