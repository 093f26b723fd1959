"""Results for the library that the samples came from."""

import sys
from typing import Any, Callable, Optional


def _from_dlpack(x: Any) -> Optional[Callable[[Any], Any]]:
    """The function of a library that takes arrays of others, if it has one."""
    namespace = getattr(x, "__array_namespace__", None)
    if namespace is not None:
        found = getattr(namespace(), "from_dlpack", None)
        if found is not None:
            return found
    for base in type(x).__mro__:
        library = sys.modules.get(base.__module__.partition(".")[0])
        found = getattr(library, "from_dlpack", None)
        if found is not None:
            return found
    return None


def give_back(x: Any, result: Any) -> Any:
    """An array of NumPy as one of the library of x, without a copy; as it is, if that library takes none."""
    take = _from_dlpack(x)
    if take is None:
        return result
    if result.dtype.kind == "b" or (result.dtype == "u1" and str(getattr(x, "dtype", "")).endswith("bool")):
        # Older versions of DLPack have no bool.
        return take(result.view("u1")).view(x.dtype)
    return take(result)
