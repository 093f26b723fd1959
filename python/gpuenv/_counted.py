"""Windows that need a number of samples that are not NaN, as those of bottleneck and pandas."""

from typing import Any, Callable

import numpy


def counted(function: Callable[..., Any], x: Any, w: int, need: int, axis: int) -> Any:
    """Result k is that of the samples k-w+1 .. k, and NaN if fewer than `need` of them are there. Integers give
    float64; floats keep their byte order."""
    out = numpy.empty(x.shape, x.dtype if x.dtype.kind == "f" else "f8")
    if need == w:
        function(x, w, axis=axis, align="causal", edge="nan", out=out)
        return out
    function(x, w, axis=axis, align="causal", nan="omit", out=out)
    if need <= 1 or x.size == 0:
        return out
    numpy.moveaxis(out, axis, 0)[: need - 1] = numpy.nan
    if x.dtype.kind != "f":
        return out
    there: Any = ~numpy.isnan(x)
    if not there.all():
        number = numpy.int32 if x.shape[axis] < 2**31 else numpy.int64
        count: Any = numpy.cumsum(numpy.moveaxis(there, axis, 0), axis=0, dtype=number)
        count[w:] -= count[:-w].copy()
        numpy.moveaxis(out, axis, 0)[count < need] = numpy.nan
    return out
