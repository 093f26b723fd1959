# SPDX-License-Identifier: MIT
"""Runs the examples of the docstrings, of docs/python.md, README.md and python/README.md.

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

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = doctest.ELLIPSIS
with needed_modules():
    import pandas  # noqa: F401

for name in ["", "._core", "._rolling", "._stats", "._stream", ".bottleneck", ".scipy"]:
    result = doctest.testmod(importlib.import_module("gpuenv" + name), optionflags=OPTIONS)
    check(result.failed == 0 and result.attempted > 0, "gpuenv" + name, result)

# Each name that is exported says what it is for.
for name in gpuenv.__all__:
    check(name.startswith("__") or len(getattr(gpuenv, name).__doc__ or "") > 40, "no docstring:", name)


def run_page(page, least):
    text = page.read_text()
    names = {}
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        block, line = match[1], text.count("\n", 0, match.start()) + 1
        if re.search(r"^>>> import (cupy|torch)$", block, re.M):
            continue  # tests/gpu/python.py runs them
        missing = [m for m in re.findall(r"^>>> import (\w+)", block, re.M) if importlib.util.find_spec(m) is None]
        if missing:
            print("not run, for want of", *missing)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    check(runner.tries >= least and runner.failures == 0, page.name, runner.failures, "of", runner.tries)


os.chdir(tempfile.mkdtemp())
os.environ["SOURCE_DATE_EPOCH"] = "0"
pathlib.Path("matplotlibrc").write_text("backend: svg\nsvg.fonttype: none\nsvg.hashsalt: gpuenv\n")
run_page(SOURCE / "docs/python.md", 25)
run_page(SOURCE / "README.md", 3)
run_page(SOURCE / "python/README.md", 5)
for picture in pathlib.Path().glob("*.svg"):
    drawn, due = picture.read_text(), (SOURCE / "docs" / picture.name).read_text()
    version = re.search(r"Matplotlib v[\d.]+", due)[0]  # another one draws in other words
    check(drawn == due or version not in drawn, picture.name, "is not that of the page")
finish()
