"""Positions that keep the look of a curve."""

from typing import Any

import numpy

from . import _core
from ._arrays import to_index, to_numpy


def downsample(x: Any, n_out: int) -> "numpy.ndarray[Any, Any]":
    """Where the extremes of n_out / 2 blocks of nearly equal length are, in order: what to draw of a long curve.

    They are the positions of MinMaxDownsampler of tsdownsample. NaN are passed over.

    Parameters
    ----------
    x : array
        Of one dimension, in main memory.
    n_out : int
        How many positions, an even number. An array that is not longer gives all of its positions.

    Returns
    -------
    array
        Of NumPy: two positions for each block, of the first minimum and the first maximum.

    Examples
    --------
    >>> import numpy, gpuenv
    >>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])
    >>> gpuenv.downsample(x, 4)
    array([1, 2, 5, 6])
    """
    n_out = to_index(n_out, "n_out")
    if n_out < 1 or n_out % 2 != 0:
        raise ValueError("n_out must be an even number, 2 or more")
    array = to_numpy(x)
    if array.ndim != 1:
        raise ValueError("x must have one dimension")
    if array.dtype.kind == "c":
        raise TypeError("x must not be complex")
    n = array.size
    if n <= n_out:
        return numpy.arange(n)
    return numpy.frombuffer(_core.downsample(array, n_out), "i8").astype(numpy.intp)
