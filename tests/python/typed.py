"""The types of the package, and of code that uses it, by mypy.

    typed.py PACKAGE_DIR
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish, skip

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
USE = """
import numpy
import gpuenv
from gpuenv.bottleneck import move_min
from gpuenv.scipy import maximum_filter1d

x = numpy.arange(10.0)
lo, hi = gpuenv.minmax(x, 3, align="causal", out=(x, x), threads=None)
numbers: numpy.ndarray = gpuenv.ptp(x, numpy.int8(3))
rows = gpuenv.stats(x, axis=0, every=3).max
stream = gpuenv.Stream(3, hop=2)
a, b = stream.push(x)
move_min(x, 3, min_count=1)
maximum_filter1d(x, size=3, origin=1)
gpuenv.maximum(x, 3, stream=2)
text: str = gpuenv.__version__
"""
WRONG = [
    "gpuenv.minmax(x)", "gpuenv.minmax(x, [3])", "gpuenv.minmax(x, 3, 1)", "gpuenv.minmax(x, 3, align=1)",
    "gpuenv.zoom(x, 3, align='valid')", "gpuenv.Stream(3, out=x)", "gpuenv.stats(x).median", "gpuenv.minmax(x, 3, stream='2')", "move_min(x, 3, '1')",
    "gpuenv.rolling_min(x, 3).nothing + gpuenv.nothing",
]  # fmt: skip

CACHE = tempfile.TemporaryDirectory()


def mypy(*words, module="mypy"):
    options = ["--config-file", SOURCE / "pyproject.toml", "--cache-dir", CACHE.name]
    if module != "mypy":
        options = ["--mypy-config-file", SOURCE / "pyproject.toml"]
    environment = {**os.environ, "MYPYPATH": PROGRAM, "PYTHONPATH": PROGRAM}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([sys.executable, "-m", module, *words, *options], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip


if mypy("--version").returncode != 0:
    skip(f"no mypy for {sys.executable}")
if not list(pathlib.Path(PROGRAM).glob("gpuenv/_core.*.so")):
    skip("the package was not built")
run = mypy(SOURCE / "python/gpuenv")
check(run.returncode == 0, run.stdout)
run = mypy("gpuenv._core", module="mypy.stubtest")
check(run.returncode == 0, run.stdout)
with tempfile.TemporaryDirectory() as folder:
    use = pathlib.Path(folder) / "use.py"
    use.write_text(USE + "\n".join(WRONG) + "\n")
    run = mypy("--allow-any-generics", use)
    lines = {int(line.split(":")[1]) for line in run.stdout.splitlines() if "use.py:" in line and " error: " in line}
    first = USE.count("\n") + 1
    check(lines == set(range(first, first + len(WRONG))), "lines", sorted(lines), "expected from", first, run.stdout)
finish()
