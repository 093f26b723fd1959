"""Runs the examples of the docstrings and of docs/python.md.

    examples.py PACKAGE_DIR
"""

import doctest
import importlib.util
import os
import pathlib
import re
import tempfile

from package import *
from harness import check, finish

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/python.md"
OPTIONS = doctest.ELLIPSIS
with needed_modules():
    import pandas  # noqa: F401

for name in ["", "._core", "._rolling", "._stats", "._stream", ".bottleneck", ".scipy"]:
    result = doctest.testmod(importlib.import_module("gpuenv" + name), optionflags=OPTIONS)
    check(result.failed == 0 and result.attempted > 0, "gpuenv" + name, result)

# Each name that is exported says what it is for.
for name in gpuenv.__all__:
    check(name.startswith("__") or len(getattr(gpuenv, name).__doc__ or "") > 40, "no docstring:", name)

text = PAGE.read_text()
blocks = [(match.start(), match[1]) for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
names = {}
os.chdir(tempfile.mkdtemp())
runner = doctest.DocTestRunner(optionflags=OPTIONS)
for at, block in blocks:
    missing = [m for m in re.findall(r"^>>> import (\w+)", block, re.M) if importlib.util.find_spec(m) is None]
    if missing:
        print("not run, for want of", *missing)
        continue
    test = doctest.DocTestParser().get_doctest(block, names, PAGE.name, str(PAGE), text.count("\n", 0, at) + 1)
    runner.run(test, clear_globs=False)
    names.update(test.globs)
check(runner.tries > 20 and runner.failures == 0, PAGE.name, runner.failures, "of", runner.tries)
finish()
