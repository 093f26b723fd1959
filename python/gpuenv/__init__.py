# SPDX-License-Identifier: MIT
"""Running minima and maxima of arrays, at a cost that does not grow with the window.

>>> import numpy, gpuenv
>>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])
>>> gpuenv.minmax(x, 3)
(array([1, 1, 1, 1, 2, 2]), array([4, 4, 5, 9, 9, 9]))

    minmax(x, w)          minimum and maximum of each window of w samples, as a pair
    minimum, maximum      one of them
    argmin, argmax        where these are
    absmax, ptp, mid      the largest magnitude; maximum - minimum; the middle between them
    zoom(x, n)            minimum and maximum of each n samples: the overview of a waveform; means, too
    zoom(series, '1h')    those of each hour, day, week, month of the index
    stats(x)              extremes, where they are, sum, mean and root mean square
    Stream(w)             the same for samples that come in pieces
    rolling_min, rolling_max          for series and frames of pandas
    scipy.minimum_filter, ...         with the arguments of scipy.ndimage
    bottleneck.move_min, ...          with the arguments of bottleneck

Results are arrays of the library that x is from, and minima and maxima have the type of x. All CPUs
work on large arrays (threads=1: one), and other threads of Python go on meanwhile. Arrays of CuPy,
PyTorch and others on a CUDA device are filtered there, on the current stream. A NaN makes the windows
that it is in NaN, unless nan='omit'.
"""

try:
    from ._core import __version__, absmax, argmax, argmin, maximum, mid, minimum, minmax, ptp, zoom
except ModuleNotFoundError as missing:
    if missing.name != "gpuenv._core":
        raise
    raise ImportError(
        f"no extension module for this Python in {__path__[0]}: build gpuenv, by 'pip install .' in its sources, or by "
        "'cmake --preset release && cmake --build --preset release' with PYTHONPATH=build/release/python"
    ) from None

from . import bottleneck, scipy
from ._rolling import rolling_max, rolling_min
from ._stats import Stats, stats
from ._stream import Stream

# Without bottleneck and scipy: names of the user's own modules would be replaced by "from gpuenv import *".
__all__ = [
    "Stats",
    "Stream",
    "__version__",
    "absmax",
    "argmax",
    "argmin",
    "maximum",
    "mid",
    "minimum",
    "minmax",
    "ptp",
    "rolling_max",
    "rolling_min",
    "stats",
    "zoom",
]
