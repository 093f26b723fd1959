# SPDX-License-Identifier: MIT
"""Files as written by libsndfile, which soundfile and sox use: only the part of its interface that the
tests need. ImportError if the library is missing."""
import ctypes

FORMATS = {  # SF_FORMAT_...
    "wav": 0x010000, "aiff": 0x020000, "au": 0x030000, "paf": 0x050000, "svx": 0x060000,
    "nist": 0x070000, "voc": 0x080000, "ircam": 0x0A0000, "w64": 0x0B0000, "mat4": 0x0C0000,
    "mat5": 0x0D0000, "pvf": 0x0E0000, "xi": 0x0F0000, "htk": 0x100000, "sds": 0x110000,
    "avr": 0x120000, "flac": 0x170000, "caf": 0x180000, "wve": 0x190000, "mpc2k": 0x210000,
    "rf64": 0x220000,
}
TYPES = {"s8": 1, "s16": 2, "s24": 3, "s32": 4, "u8": 5, "f32": 6, "f64": 7, "alaw": 0x11,
         "dpcm": 0x51}
ORDERS = {"": 0, "little": 0x10000000, "big": 0x20000000}
WRITE = 0x20
READ = 0x10
ADD_PEAK = 0x1050

try:
    library = ctypes.CDLL("libsndfile.so.1")
except OSError as missing:
    raise ImportError("no libsndfile") from missing


class Info(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), ("rate", ctypes.c_int), ("channels", ctypes.c_int),
                ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


library.sf_open.restype = ctypes.c_void_p
for function in (library.sf_writef_float, library.sf_readf_float):
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    function.restype = ctypes.c_int64
library.sf_command.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
library.sf_close.argtypes = [ctypes.c_void_p]


def write(path, container, kind, samples, channels, rate, order=""):
    """Float samples, without the chunk that has the time of day in it."""
    info = Info(0, rate, channels, FORMATS[container] | TYPES[kind] | ORDERS[order], 0, 0)
    file = library.sf_open(str(path).encode(), WRITE, ctypes.byref(info))
    if not file:
        raise ValueError(f"libsndfile does not write {container} {kind} {order}")
    library.sf_command(file, ADD_PEAK, None, 0)
    values = (ctypes.c_float * len(samples))(*samples)
    assert library.sf_writef_float(file, values, len(samples) // channels) * channels == len(samples)
    library.sf_close(file)


def read(path):
    """(samples, channels, rate)"""
    info = Info()
    file = library.sf_open(str(path).encode(), READ, ctypes.byref(info))
    if not file:
        raise ValueError(f"libsndfile does not read {path}")
    values = (ctypes.c_float * ((info.frames + 10) * info.channels))()
    got = library.sf_readf_float(file, values, info.frames + 10)
    library.sf_close(file)
    return list(values[:got * info.channels]), info.channels, info.rate
