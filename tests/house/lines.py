#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The lines of each room, and of its code beside its budget: lines.py [COMMIT]

Looks at the working tree, or at COMMIT. "product" is src/ without src/bench/, cuda/ and python/. Exits with 1 if a room
has more code than its number and 3 %, or the product more than PRODUCT. A commit of its own raises a number, and says
what users got for it."""

import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tokenize

# Lines of C, C++, CUDA and Python without comments and blanks. A text that Python has on several lines is one.
BUDGET = {"core": 10206, "cuda": 5884, "format/look": 1879, "format/text": 5851, "format": 11139, "io": 1792, "job": 5435, "lib": 3661,
          "python": 4711, "tool": 5109, "bench": 3376, "tests": 35000}
# At these there are no 3 % more. The product is to have 50,000 at the most again: what stands twice goes first.
MOST = {"bench": 3400, "tests": 35977}
PRODUCT = 57333
APART = ("bench", "tests")
# How long a line may be. clang-format has the one of C.
COLUMNS = {"python": 130, "tests": 170}
CLANG_FORMAT = "ColumnLimit: 100"
C = (".c", ".h", ".cpp", ".cu", ".cuh", ".c.in")
PYTHON = (".py", ".pyi")
# Texts beside the code of the product. Code under another ending would not be counted.
NO_CODE = ("CMakeLists.txt", ".cmake", ".cmake.in", ".pc.in", ".map", ".gp", ".bash", ".fish", ".md", ".typed")
COMMENT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
NOT_COUNTED = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
# Written by a program, tests/abi.sh, from what a release had: data of its test, and nobody's code.
WRITTEN = "tests/abi/gpuenv-*.h"
# The room of what was a room once.
NOW = {"base": "core", "window": "core", "sample": "core", "engine": "core", "cpu": "core", "stats": "core", "bytes": "io",
       "stream": "job", "cli": "tool", "batch": "tool", "completions": "tool"}
FOLDERS = ("src", "cuda", "python", "tests")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def files(commit):
    """(path, bytes) of all files."""
    if not commit:
        for folder in FOLDERS:
            for path in sorted((ROOT / folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path.relative_to(ROOT), path.read_bytes()
        return
    packed = subprocess.run(["git", "archive", *commit, *FOLDERS], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            if member.isfile():
                yield pathlib.PurePath(member.name), archive.extractfile(member).read()


def room_of(path):
    """A folder of src/, "cuda", "python" or "tests"; "src" for files directly in src/. For a commit of before: the rooms
    were folders of their own."""
    folders = path.parts[:-1]
    if folders[0] != "src" or len(folders) == 1:
        return folders[0]
    return NOW.get(folders[1], folders[1])


def budget_of(path):
    """Texts and statistics have numbers apart from the rest of their room."""
    folder = "/".join(path.parts[1:3])
    return folder if folder in ("format/look", "format/text", "format/stats") else room_of(path)


def code_in(path, text):
    """Lines of code, or None if it has none."""
    if path.name.endswith(C):
        text = COMMENT.sub(lambda found: found[0] if found[0][0] in "\"'" else "\n" * found[0].count("\n"), text)
        return sum(1 for line in text.split("\n") if line.strip())
    if path.name.endswith(PYTHON):
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return len({token.start[0] for token in tokens if token.type not in NOT_COUNTED})
    return None


def add(counts, room, lines):
    counts[room] = counts.get(room, 0) + lines


def count(commit):
    """Lines by room, lines of code by budget, and what cannot be counted."""
    rooms, code, wrong = {}, {}, []
    for path, read in files(commit):
        if b"\0" in read:
            continue
        text = read.decode(errors="replace")
        add(rooms, room_of(path), len(io.BytesIO(read).readlines()))
        lines = code_in(path, text) if not path.match(WRITTEN) else 0
        if lines is not None:
            add(code, budget_of(path), lines)
            longest = max(map(len, text.split("\n")))
            if longest > COLUMNS.get(path.parts[0], 100) and path.name.endswith(PYTHON):
                wrong.append(f"{path} has a line of {longest} columns")
        elif path.parts[0] != "tests" and not path.name.endswith(NO_CODE):
            wrong.append(f"{path}: is it code? {pathlib.Path(__file__).name} does not know this ending")
    return rooms, code, wrong


def most(room):
    return MOST.get(room, BUDGET.get(room, 0) * 103 // 100)


def main():
    rooms, code, wrong = count(sys.argv[1:2])
    apart = {room: rooms.pop(room, 0) for room in APART}
    for room, lines in sorted(rooms.items()):
        print(f"{room:12}{lines:7}")
    print(f"{'product':12}{sum(rooms.values()):7}\n")
    for room, lines in apart.items():
        print(f"{room:12}{lines:7}")

    print("\ncode, its budget, and the most:")
    for room, lines in sorted(code.items()):
        print(f"  {room:12}{lines:7}{BUDGET.get(room, 0):7}{most(room):7}")
        if lines > most(room):
            wrong.append(f"{room} has {lines} lines of code; its budget is {BUDGET.get(room, 0)}, and {most(room)} the most")
    product = sum(lines for room, lines in code.items() if room not in APART)
    print(f"  {'in all':12}{product:7}{sum(BUDGET[room] for room in BUDGET if room not in APART):7}{PRODUCT:7}")
    if product > PRODUCT:
        wrong.append(f"the product has {product} lines of code; the most is {PRODUCT}")
    if CLANG_FORMAT not in (ROOT / ".clang-format").read_text():
        wrong.append(f".clang-format has another limit than {CLANG_FORMAT}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
