# SPDX-License-Identifier: MIT
"""The types of the package, and of code that uses it, by mypy, or by pyright, which pip installs for that.

    typed.py PACKAGE_DIR [pyright]
"""

import json
import os
import pathlib
import re
import shutil
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

class Series:  # as pandas has it
    @property
    def iloc(self) -> int:
        return 0

x = numpy.arange(10.0)
lo, hi = gpuenv.minmax(x, 3, align="causal", out=(x, x), threads=None)
numbers: numpy.ndarray = gpuenv.ptp(x, numpy.int8(3))
rows = gpuenv.stats(x, axis=0, every=3).max
stream = gpuenv.Stream(3, hop=2)
a, b = stream.push(x)
move_min(x, 3, min_count=1)
maximum_filter1d(x, size=3, origin=1)
gpuenv.scipy.grey_opening(x.reshape(2, 5), size=(1, 2), mode=["wrap", "nearest"])
gpuenv.maximum(x.reshape(2, 5), (1, 2), axes=(0, 1))
gpuenv.maximum(x, 3, stream=2)
doubles, small = numpy.zeros(10), numpy.zeros(10, numpy.uint8)
series: "Series" = Series()
hi, mean = gpuenv.zoom(small, 3, emit="max,mean")
with gpuenv.Stream(3) as entered:
    entered.finish()
text: str = gpuenv.__version__
"""
# The types of results: what mypy reveals, as a regular expression.
KINDS = {"ANY": r"numpy.ndarray\[Any, Any\]", "FLOATS": r"numpy.ndarray\[.*(float64|floating.*_64Bit)\]+",
         "BYTES": r"numpy.ndarray\[.*unsignedinteger.*_8Bit\]+", "POSITIONS": r"numpy.ndarray\[.*signedinteger.*_64Bit\]+"}
REVEALED = {}
for row in r"""
gpuenv.minimum([1, 2], 3) | ANY
gpuenv.minmax(series, 3) | [Tt]uple.use.Series, use.Series.
gpuenv.zoom(series, 3) | [Tt]uple.use.Series, use.Series.
gpuenv.maximum(small, 3) | BYTES
gpuenv.maximum(small, 3, edge='nan') | ANY
gpuenv.minimum(doubles, 3, edge='nan', min_count=2) | FLOATS
gpuenv.mid(doubles, 3) | FLOATS
gpuenv.argmax(small, 3) | POSITIONS
gpuenv.zoom(small, 3)[0] | BYTES
gpuenv.zoom(small, 3, emit='mean') | FLOATS
gpuenv.zoom(small, 3, emit='mean', out=doubles) | ANY
gpuenv.zoom(small, 3, emit='max') | BYTES
gpuenv.zoom([1, 2], 3, emit='count') | POSITIONS
gpuenv.zoom(small, 3, emit='ptp') | ANY
gpuenv.zoom(series, '1h', emit='mean') | use.Series
gpuenv.zoom(small, 3, emit='max,mean') | (Union\[)?ANY(, | \| ).*tuple\[ANY, \.\.\.\]+
stream.push(small)[0] | ANY
stream.push(doubles)[0] | FLOATS
stream.finish()[0] | ANY
stream.push([1, 2])[0] | ANY
move_min(small, 3) | FLOATS
move_min(numpy.zeros(10, numpy.float32), 3) | numpy.ndarray\[.*floating.*_32Bit\]+
move_min([1, 2], 3) | numpy.ndarray\[.*floating\[Any\]+
maximum_filter1d(small, 3) | BYTES
maximum_filter1d(small, 3, output=float) | ANY
gpuenv.scipy.minimum_filter(small, 3) | BYTES
gpuenv.scipy.grey_opening([1, 2], 3) | ANY
""".strip().splitlines():
    called, kind = row.split(" | ", 1)
    REVEALED[called] = re.sub("ANY|FLOATS|BYTES|POSITIONS", lambda found: KINDS[found[0]], kind)
USE += "".join(f"reveal_type({call})\n" for call in REVEALED)
WRONG = """\
gpuenv.minmax(x)
gpuenv.minmax(x, [3])
gpuenv.minmax(x, 3, 1)
gpuenv.minmax(x, 3, align=1)
gpuenv.zoom(x, 3, align='valid')
gpuenv.Stream(3, out=x)
gpuenv.stats(x).median
gpuenv.minmax(x, 3, stream='2')
move_min(x, 3, '1')
gpuenv.minimum(x, 3, align='left')
gpuenv.maximum(series, 3, nan='skip')
maximum_filter1d(x, 3, mode='edge')
gpuenv.minimum(x, 3, axes='0')
gpuenv.zoom(x, 2.5)
move_min(x, 3).nothing
stream.finish()[0].nothing
gpuenv.Stream(3, edge='none')
gpuenv.maximum(series, 3).dtype
gpuenv.rolling_max(x, 3, closed='up')
gpuenv.rolling_min(x, 3).nothing + gpuenv.nothing""".splitlines()

CACHE = tempfile.TemporaryDirectory()


def mypy(*words, module="mypy"):
    options = ["--config-file", SOURCE / "pyproject.toml", "--cache-dir", CACHE.name]
    if module != "mypy":
        options = ["--mypy-config-file", SOURCE / "pyproject.toml"]
    environment = {**os.environ, "MYPYPATH": PROGRAM, "PYTHONPATH": PROGRAM}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([sys.executable, "-m", module, *words, *options], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip


def pyright(folder):
    """Makes an environment with pyright, and returns a function that runs it, with its findings by file and line."""
    if subprocess.run([sys.executable, "-m", "venv", folder], stdout=subprocess.DEVNULL).returncode != 0:
        skip("no venv (Debian: python3-venv)")
    command = str(pathlib.Path(folder) / "bin/pyright")
    if subprocess.run([pathlib.Path(folder) / "bin/pip", "install", "-q", "pyright[nodejs]==1.1.414"]).returncode != 0:
        skip("no package index")
    if subprocess.run([command, "--version"], stdout=subprocess.DEVNULL).returncode != 0:
        skip("pyright does not run")

    def run(*words, **options):
        found = subprocess.run([command, "--outputjson", "--pythonpath", sys.executable, *words], text=True,
                               stdout=subprocess.PIPE, **options)  # fmt: skip
        findings = json.loads(found.stdout)["generalDiagnostics"]
        return [(one["file"], one["range"]["start"]["line"] + 1, one["message"]) for one in findings
                if one["severity"] == "error"]  # fmt: skip

    return run


def check_lines(lines, *words):
    """Exactly the wrong lines of use.py are errors."""
    first = USE.count("\n") + 1
    check(lines == set(range(first, first + len(WRONG))), "lines", sorted(lines), "expected from", first, *words)


def use(folder):
    file = pathlib.Path(folder) / "use.py"
    file.write_text(USE + "\n".join(WRONG) + "\n")
    return file


if not list(pathlib.Path(PROGRAM).glob("gpuenv/_core.*.so")):
    skip("the package was not built")
with tempfile.TemporaryDirectory() as folder:
    if sys.argv[2:] == ["pyright"]:
        run = pyright(folder + "/venv")
        shutil.copytree(PROGRAM + "/gpuenv", folder + "/gpuenv")
        options = {"include": ["gpuenv", use(folder).name], "reportMissingModuleSource": False}
        pathlib.Path(folder, "pyrightconfig.json").write_text(json.dumps(options))
        found = run(cwd=folder)
        check(not [one for one in found if not one[0].endswith("use.py")], *found)
        check_lines({line for file, line, _ in found if file.endswith("use.py")}, *found)
        finish()
    if mypy("--version").returncode != 0:
        skip(f"no mypy for {sys.executable}")
    run = mypy(PROGRAM + "/gpuenv")
    check(run.returncode == 0, run.stdout)
    run = mypy("gpuenv._core", module="mypy.stubtest")
    check(run.returncode == 0, run.stdout)
    run = mypy("--allow-any-generics", use(folder))
    check_lines({int(line.split(":")[1]) for line in run.stdout.splitlines() if "use.py:" in line and " error: " in line},
                run.stdout)  # fmt: skip
    told = re.findall(r'Revealed type is "(.*)"', run.stdout)
    check(len(told) == len(REVEALED), "as many types", told)
    for (call, due), one in zip(REVEALED.items(), told):
        check(re.fullmatch(due, one), call, one, "not", due)
finish()
