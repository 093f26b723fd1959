from ._core import __version__, absmax, maximum, mid, minimum, minmax, ptp, zoom
