#!/usr/bin/python3
"""One version in all files that have it, and docs/stability.md names what there is: version.py SOURCE_DIR PROGRAM"""
import ast
import re
import subprocess
import sys
from pathlib import Path

source, program = Path(sys.argv[1]), sys.argv[2]


def text(path):
    return (source / path).read_text()


versions = {
    "CMakeLists.txt": re.search(r"^project\(gpuenv VERSION ([\d.]+)", text("CMakeLists.txt"), re.M)[1],
    "src/lib/gpuenv.h": ".".join(re.findall(r"^#define GPUENV_VERSION_[A-Z]+ (\d+)$", text("src/lib/gpuenv.h"), re.M)),
    "src/lib/gpuenv.h, in words": re.search(r'running: "([\d.]+)"', text("src/lib/gpuenv.h"))[1],
    "debian/changelog": re.match(r"gpuenv \(([\d.]+)-1\)", text("debian/changelog"))[1],
    "packaging/gpuenv.spec": re.search(r"^Version: *([\d.]+)$", text("packaging/gpuenv.spec"), re.M)[1],
    "packaging/gpuenv.spec, changelog": re.search(r"> - ([\d.]+)-1$", text("packaging/gpuenv.spec"), re.M)[1],
    "CHANGELOG.md": re.search(r"^## \[(\d[\d.]+)\] - \d{4}-\d\d-\d\d$", text("CHANGELOG.md"), re.M)[1],
    "tests/abi/": max((path.stem[len("gpuenv-"):] for path in (source / "tests/abi").glob("gpuenv-*.h")),
                      key=lambda version: [int(number) for number in version.split(".")]),
}
assert len(set(versions.values())) == 1, f"packaging/release.sh writes the version into all of them: {versions}"

page = text("docs/stability.md")
names = next(node.value for node in ast.parse(text("python/gpuenv/__init__.py")).body
             if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
for name in ast.literal_eval(names):
    assert name == "__version__" or f"`{name}`" in page, f"docs/stability.md does not name gpuenv.{name}"
records = subprocess.run([program, "--emit", "none", "--stats", "-", "--stats-format", "csv", "-t", "s16"],
                         input=bytes(64), capture_output=True, check=True).stdout.decode()
assert f"`{records.splitlines()[0]}`" in page, f"docs/stability.md has other records than {records}"
print(versions)
