# SPDX-License-Identifier: MIT
"""Capsules of DLPack, of both versions, for arrays that come from no library. They are arranged as dlpack.h has it."""

import ctypes


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int), ("ndim", ctypes.c_int),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]  # fmt: skip


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]  # fmt: skip


READ_ONLY, COPIED = 1, 2
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def tensor(pointer, shape, strides, dtype, kind=1, device=0):
    """`strides` are in bytes."""
    code = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[dtype.kind]
    made = DLTensor(pointer, kind, device, len(shape), code, dtype.itemsize * 8, 1)
    made.shape = (ctypes.c_int64 * (len(shape) or 1))(*shape)
    made.strides = (ctypes.c_int64 * (len(shape) or 1))(*(s // dtype.itemsize for s in strides))
    return made


def capsule(keep, tensor, version=None, flags=0):
    """What __dlpack__() gives; `keep` is a list that lives as long. Without a version, as before 1.0."""
    made = Managed(tensor) if version is None else Versioned(*version, None, None, flags, tensor)
    keep.append(made)
    return _new(ctypes.addressof(made), b"dltensor" if version is None else b"dltensor_versioned", None)
