#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Each source file names the licence of LICENSE in its first lines, as SPDX has it: licence.py SOURCE_DIR [add]

`add` writes the line where it is missing. Data of tests, texts that programs print, and what the language of a file has no
comment for, are left out.
"""

import pathlib
import sys

FOLDERS = ("src", "cuda", "tests", "python", "examples", "packaging")
ROOT_FILES = ("CMakeLists.txt", "pyproject.toml", "debian/rules")
C, HASH = "/* {} */", "# {}"
COMMENT = {
    ".c": C, ".h": C, ".cu": C, ".cuh": C, ".cpp": C, ".map": C, ".rs": "// {}", ".go": "// {}", ".f90": "! {}", ".lua": "-- {}",
    ".py": HASH, ".pyi": HASH, ".sh": HASH, ".cmake": HASH, ".toml": HASH, ".spec": HASH, ".sub": HASH, ".dag": HASH,
}  # fmt: skip
# Recorded headers, and files whose bytes go into what programs print.
DATA = ("tests/abi/gpuenv-", "tests/look/heads/", "tests/golden/good-", "tests/golden/bad-", "tests/fuzz/sigmf/", "src/tool/completions/functions.")
LINES = 3


def comment(root, path):
    """How a line of comment is written in this file. None: it is data."""
    name = str(path.relative_to(root))
    if name.startswith(DATA):
        return None
    if path.name == "CMakeLists.txt" or (path.suffix == "" and path.read_bytes()[:2] == b"#!"):
        return HASH
    if path.suffix == ".in":
        return C if path.suffixes[-2:] == [".c", ".in"] else HASH
    return COMMENT.get(path.suffix)


def sources(root):
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.is_file() and not path.is_symlink()]
    for path in [*paths, *(root / name for name in ROOT_FILES)]:
        if how := comment(root, path):
            yield path, how


def add(path, line):
    text = path.read_text(encoding="utf-8")
    first, end, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
    path.write_text(first + end + line + "\n" + rest, encoding="utf-8")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    name = f"SPDX-License-Identifier: {(root / 'LICENSE').read_text().split(' License')[0]}"
    bare = [(path, how) for path, how in sources(root)
            if not any(line.rstrip() == how.format(name) for line in path.read_text(encoding="utf-8").splitlines()[:LINES])]  # fmt: skip
    if sys.argv[2:] == ["add"]:
        for path, how in bare:
            add(path, how.format(name))
        return 0
    for path, how in bare:
        print(f"{path.relative_to(root)}: lacks {how.format(name)}")
    return 1 if bare else 0


sys.exit(main())
