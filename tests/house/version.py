#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One version in all files that have it: version.py SOURCE_DIR PROGRAM"""
import re
import subprocess
import sys
from pathlib import Path

source, program = Path(sys.argv[1]), sys.argv[2]


def text(path):
    return (source / path).read_text()


def number(version):
    """0.4.0~dev comes before 0.4.0."""
    return [*map(int, version.removesuffix("~dev").split(".")), not version.endswith("~dev")]


header = text("src/lib/gpuenv.h")
version = re.search(r'^#define GPUENV_VERSION "(\d+\.\d+\.\d+(?:~dev)?)"$', header, re.M)[1]
macros = re.findall(r"^#define GPUENV_VERSION_[A-Z]+ (\d+)$", header, re.M)
versions = {
    "src/lib/gpuenv.h": version,
    "its macros": ".".join(macros) + "~dev" * version.endswith("~dev"),
    "the program": re.match(r"gpuenv (\S+)", subprocess.run([program, "--version"], capture_output=True, check=True).stdout.decode())[1],
    "pyproject.toml": re.search(r'^version = "(.*)"$', text("pyproject.toml"), re.M)[1].replace(".dev0", "~dev"),
    "debian/changelog": re.match(r"gpuenv \(([\d.~dev]+)-1\)", text("debian/changelog"))[1],
    "packaging/gpuenv.spec": re.search(r"^Version: *(\S+)$", text("packaging/gpuenv.spec"), re.M)[1],
}
assert set(versions.values()) == {version}, f"packaging/release.sh writes the version into all of them: {versions}"
assert re.search(rf"as one number, {int(macros[0]) * 10000 + int(macros[1]) * 100 + int(macros[2])}:", header)
releases = {
    "packaging/gpuenv.spec, changelog": re.search(r"> - ([\d.]+)-1$", text("packaging/gpuenv.spec"), re.M)[1],
    "CHANGELOG.md": re.search(r"^## \[(\d[\d.]+)\] - \d{4}-\d\d-\d\d$", text("CHANGELOG.md"), re.M)[1],
    "tests/abi/": max((path.stem[len("gpuenv-"):] for path in (source / "tests/abi").glob("gpuenv-*.h")), key=number),
}
released = releases["tests/abi/"]
assert set(releases.values()) == {released}, f"not the last release: {releases}"
assert number(released) < number(version) if "~" in version else released == version, f"{version} after {released}"
# The node of a function is the release that it comes with, so the newest one is no later than the header.
node = [int(part) for part in re.findall(r"^GPUENV_([\d.]+) \{", text("src/lib/gpuenv.map"), re.M)[-1].split(".")]
assert node <= number(version)[:2], f"src/lib/gpuenv.map has a node of {node}, and the header is {version}"
assert node == number(version)[:2] or node <= number(released)[:2], f"the node {node} is of no release"
print(versions, releases)
