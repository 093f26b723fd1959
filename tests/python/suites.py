# SPDX-License-Identifier: MIT
"""The own tests of pandas, bottleneck and SciPy, as they are installed, with our functions in place of theirs.

    suites.py PACKAGE_DIR [pandas|bottleneck|scipy]

What is not passed on is named in docs/python.md.
"""

import collections
import pathlib

from package import *
from harness import argument, check, finish

with needed_modules():
    import bottleneck
    import hypothesis  # SciPy's and pandas' tests need it
    import pandas
    import pytest
    import scipy.ndimage
    from pandas.api.indexers import BaseIndexer
    from pandas.core.window.rolling import Rolling

calls = collections.Counter()


class Reports:
    """What pytest reports."""

    passed = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.outcome == "passed"
        if report.when == "call" or report.outcome == "failed":
            check(report.outcome != "failed", report.nodeid, report.longreprtext)


def suite(module, files, which=""):
    """Runs the tests of a package."""
    calls.clear()
    root = pathlib.Path(module.__file__).parent
    reports = Reports()
    pytest.main(["--tb=short", "-W", "ignore", "-p", "no:cacheprovider", "-p", "no:terminalreporter", "-o", "addopts=", "--rootdir",
                 str(root.parent), "--confcutdir", str(root.parent), "-k", which, *(str(root / file) for file in files)],
                plugins=[reports])  # fmt: skip
    print(module.__name__, module.__version__, reports.passed, "passed; calls:", dict(calls))
    check(reports.passed > 0 and calls["ours"] > 0, module.__name__, "has no tests")


# ---- pandas


def unlike(rolling, arguments):
    """Why a call is not for our function, if it is so."""
    if type(rolling) is not Rolling:
        return "groupby"
    if isinstance(rolling.window, BaseIndexer):
        return "windows of an indexer"
    if rolling.axis == 1:
        return "axis=1"
    return "numeric_only, engine and the like" if arguments else None


def replace_rolling(name, ours):
    theirs = getattr(Rolling, name)

    def method(self, *args, **named):
        why = unlike(self, list(args) + [value for value in named.values() if value])
        calls[why or "ours"] += 1
        if why:
            return theirs(self, *args, **named)
        data = self._selected_obj
        on = self.on if data.ndim == 2 and isinstance(self.on, str) and self.on in data.columns else None
        on = self._on if on is None and self.on is not None else on
        try:
            return ours(data, self.window, self.min_periods, self.center, closed=self.closed, step=self.step, on=on)
        except TypeError as error:
            raise pandas.errors.DataError("No numeric types to aggregate") from error

    # Warnings name the caller, the first one outside of pandas.
    method.__code__ = method.__code__.replace(co_filename=pandas.core.window.rolling.__file__)
    setattr(Rolling, name, method)


replace_rolling("min", gpuenv.rolling_min)
replace_rolling("max", gpuenv.rolling_max)
only = argument(2, "")
if only in ("", "pandas"):
    suite(pandas, ["tests/window"], "not ewm and not online and not pairwise and not quantile and not skew and not numba")

# ---- bottleneck and SciPy


def counted(function):
    def call(*args, **named):
        calls["ours"] += 1
        return function(*args, **named)

    call.__name__ = function.__name__
    call.__doc__ = function.__doc__
    return call


def boxes(name, theirs):
    """Ours where the window has no weights."""

    def call(*args, **named):
        try:
            found = getattr(gpuenv.scipy, name)(*args, **named)
        except (TypeError, ValueError):
            calls["windows with weights, errors"] += 1
            return theirs(*args, **named)
        calls["ours"] += 1
        return found

    return call


if only in ("", "bottleneck"):
    for name in gpuenv.bottleneck.__all__:
        setattr(bottleneck, name, counted(getattr(gpuenv.bottleneck, name)))
    suite(bottleneck, ["tests/move_test.py", "tests/list_input_test.py", "tests/input_modification_test.py"])
if only in ("", "scipy"):
    for name in ("minimum_filter1d", "maximum_filter1d"):
        for module in (scipy.ndimage, scipy.ndimage._filters):
            setattr(module, name, counted(getattr(gpuenv.scipy, name)))
    for name in set(gpuenv.scipy.__all__) - {"minimum_filter1d", "maximum_filter1d"}:
        setattr(scipy.ndimage, name, boxes(name, getattr(scipy.ndimage, name)))
    suite(scipy, ["ndimage/tests/test_filters.py", "ndimage/tests/test_morphology.py"])
finish()
