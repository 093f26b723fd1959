# SPDX-License-Identifier: MIT
"""Arrays of other libraries, to NumPy and back."""

import operator
import sys
from typing import Any, Callable, List, NoReturn, Optional

import numpy


_SAME = {"ptp": "range", "absmax": "abs"}  # values by the names of functions


def to_numpy(x: Any) -> "numpy.ndarray[Any, Any]":
    """The same samples as an array of NumPy, without a copy where there can be one. Refuses what minmax() refuses."""
    from . import _core

    _core.check(x)
    if not isinstance(x, numpy.ndarray) and hasattr(x, "__dlpack__"):
        try:
            return numpy.from_dlpack(x)
        except (BufferError, RuntimeError, TypeError):
            pass  # libraries do not export all types that they convert
    return numpy.asarray(x)


def as_numpy(x: Any) -> "numpy.ndarray[Any, Any]":
    """numpy.asarray(x). Of polars it asks for names that are not there, which takes ten times as long as the rest."""
    return numpy.asarray(x.to_numpy() if _library("polars", "Series", x) or _library("polars", "DataFrame", x) else x)


def convert(x: Any) -> "numpy.ndarray[Any, Any]":
    """What NumPy makes an array of."""
    if hasattr(type(x), "__dask_graph__") and x.__dask_graph__() is not None:
        raise ValueError(
            "x is in chunks of dask, and would be loaded as a whole: x.map_overlap(gpuenv.maximum, ...) of dask.array filters "
            "each of them with its neighbours, and x.compute() loads them"
        )
    return as_numpy(x)


def to_index(value: Any, name: str) -> int:
    """An argument that is an integer."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None


def check_axis(axis: int, dimensions: int) -> int:
    """Counts an axis from 0, or raises numpy.exceptions.AxisError, a ValueError."""
    if -dimensions <= axis < dimensions:
        return axis % dimensions
    # NumPy 1.25 and later have it here.
    raise getattr(numpy, "exceptions", numpy).AxisError(axis, dimensions)


def refuse_type(x: Any, name: str) -> NoReturn:
    """Raises TypeError for samples that are no numbers."""
    if hasattr(x, "select_dtypes"):  # a DataFrame
        raise TypeError(
            f"{name} has columns of other types than NumPy's numbers: {name}.select_dtypes('number') leaves out text, "
            f"{name}.astype(float) converts Int64"
        )
    raise TypeError(
        f"{name} has samples of {getattr(x, 'dtype', type(x))}: they must be bool, integers, float16, float32, float64, "
        "complex64 or complex128"
    )


def split_emit(emit: Any) -> List[str]:
    """The names in "min,rms", or in a sequence."""
    try:
        names = [name.strip() for name in emit.split(",")] if isinstance(emit, str) else list(emit)
    except TypeError:
        raise TypeError(f"emit must be a str or a sequence of them, not {type(emit).__name__}") from None
    return [_SAME.get(name, name) if isinstance(name, str) else name for name in names]


def is_foreign(x: Any) -> bool:
    return not isinstance(x, numpy.ndarray) and hasattr(x, "__dlpack__")


def from_dlpack_of(x: Any) -> Optional[Callable[[Any], Any]]:
    """The function of a library that takes arrays of others, if it has one."""
    namespace = getattr(x, "__array_namespace__", None)
    if namespace is not None:
        found: Optional[Callable[[Any], Any]] = getattr(namespace(), "from_dlpack", None)
        if found is not None:
            return found
    for base in type(x).__mro__:
        found = getattr(sys.modules.get(base.__module__.partition(".")[0]), "from_dlpack", None)
        if found is not None:
            taking: Callable[[Any], Any] = found
            return taking
    return None


def default_axis(x: Any) -> int:
    """The last; of a DataFrame the first, along its index."""
    return 0 if hasattr(x, "columns") else -1


def _library(name: str, kind: str, x: Any) -> bool:
    """Is x of a type of a library? If it is, the library is there."""
    found = getattr(sys.modules.get(name), kind, None)
    return found is not None and isinstance(x, found)


def like(x: Any, result: "numpy.ndarray[Any, Any]", axis: int, step: int) -> Any:
    """Results as an array or table of x's library, where x is one: result k has the label of row k * step."""
    step = max(step, 1)
    if _library("xarray", "DataArray", x):
        rows = slice(0, step * result.shape[axis], step)
        return x.isel({x.dims[axis]: rows}).copy(data=result)
    if _library("polars", "Series", x):
        taken = type(x)(x.name, result)
        zone = getattr(x.dtype, "time_zone", None)
        return taken.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else taken
    if _library("polars", "DataFrame", x):
        columns = x.get_columns() if axis == 0 else x.get_columns()[::step]
        return type(x)([like(column, values, 0, step) for column, values in zip(columns, result.T)])
    if not (hasattr(x, "_constructor") and hasattr(x, "index")):
        return result
    labels = [x.index, x.columns] if x.ndim == 2 else [x.index]
    labels[axis] = labels[axis][::step][: result.shape[axis]]
    if x.ndim == 1:
        return x._constructor(result, index=labels[0], name=x.name)
    return x._constructor(result, index=labels[0], columns=labels[1])


def has_other_bytes(truth: "numpy.ndarray[Any, Any]") -> bool:
    """Are there bytes that are neither 0 nor 1? Eight are looked at together where they lie side by side."""
    if truth.flags.forc and truth.size % 8 == 0:
        truth = truth.ravel("K").view("u8")
    return int(numpy.bitwise_or.reduce(truth, None)) & 0xFEFEFEFEFEFEFEFE != 0


def pack(x: "numpy.ndarray[Any, Any]", axis: int) -> "numpy.ndarray[Any, Any]":
    """The frames along an axis one after the other, in the byte order of the machine."""
    return numpy.ascontiguousarray(numpy.moveaxis(x, axis, 0), x.dtype.newbyteorder("="))


def give_back(x: Any, result: "numpy.ndarray[Any, Any]") -> Any:
    """An array of NumPy as one of the library of x, without a copy; as it is, if that library takes none."""
    take = from_dlpack_of(x)
    if take is None:
        return result
    is_bool = result.dtype.kind == "b" or (result.dtype == "u1" and str(getattr(x, "dtype", "")).endswith("bool"))
    if not is_bool:
        return take(result)
    try:
        return take(result.view("?"))
    except (BufferError, RuntimeError, TypeError):  # older versions of DLPack have no bool
        pass
    taken = take(result.view("u1"))
    if hasattr(taken, "view"):
        return taken.view(x.dtype)
    return x.__array_namespace__().astype(taken, x.dtype)
