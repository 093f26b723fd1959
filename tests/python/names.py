# SPDX-License-Identifier: MIT
"""The names, arguments and defaults that 1.0 freezes (docs/stability.md) are those of names.txt.

    names.py PACKAGE_DIR
"""

import inspect
import pathlib

from package import *
from harness import check, finish

kept = pathlib.Path(__file__).with_suffix(".txt").read_text()


def line(where, name, thing):
    signature = inspect.signature(thing)
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    return f"{where}.{name}{signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)}\n"


def public(thing):
    return sorted(name for name in dir(thing) if name[0] != "_" and callable(getattr(thing, name)))


given = [line("gpuenv", name, getattr(gpuenv, name)) for name in sorted(gpuenv.__all__) if name != "__version__"]
given += [line("Stream", name, getattr(gpuenv.Stream, name)) for name in public(gpuenv.Stream)]
given += [line(f"gpuenv.{part.__name__.split('.')[1]}", name, getattr(part, name))
          for part in (gpuenv.scipy, gpuenv.bottleneck) for name in sorted(part.__all__)]  # fmt: skip
kept_lines = kept.splitlines(keepends=True)
check(given == kept_lines, "names", [one for one in given if one not in kept_lines], [one for one in kept_lines if one not in given])
stated = pathlib.Path(__file__).parents[2].joinpath("docs", "stability.md").read_text()
check(all(f"`{name}`" in stated for name in gpuenv.__all__ if name != "__version__"), "docs/stability.md names them")

finish()
