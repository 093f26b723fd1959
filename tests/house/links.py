#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The links of the pages lead to files of this repository, and to headings in them: links.py SOURCE_DIR

A page is any Markdown file. Links to other sites are not followed. A place of gpuenv that is public is named in one line
of CONTRIBUTING.md alone. And no script of tests/, whose folder comes first
where it looks for modules, has the name of a module of Python."""

import os
import pathlib
import re
import sys

# Places of gpuenv on other computers, which are named in one line.
PLACE = re.compile(r"noreply\.git|pypi\.org/project/gpuenv|(git\w*|codeberg)\.\w+/[\w.-]+/gpuenv|pip3? install (-\S+ )*gpuenv|\bgpuenv\.(org|io|dev|readthedocs)\b")
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "build")) and name not in ("shared", "__pycache__")]
        yield from (path for path in (pathlib.Path(folder, name) for name in names) if path.is_file())


def anchors(page):
    """The names that GitHub gives to headings."""
    text = FENCE.sub("", page.read_text())
    headings = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def places(root):
    """What is wrong if a line names a public place, but the one for it."""
    lines = [(str(file.relative_to(root)), line) for file in files(root) for line in file.read_bytes().decode(errors="replace").splitlines()
             if PLACE.search(line) or line.startswith("Public address: ")]
    return [] if len(lines) == 1 and lines[0][0] == "CONTRIBUTING.md" else [f"CONTRIBUTING.md alone names a public place: {lines}"]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = []
    count = 0
    for page in sorted(file for file in files(root) if file.suffix == ".md"):
        for target in LINK.findall(FENCE.sub("", page.read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists() or not file.is_relative_to(root):
                wrong.append(f"{page.relative_to(root)}: there is no {target}")
            elif anchor and anchor not in anchors(file):
                wrong.append(f"{page.relative_to(root)}: there is no heading {target}")
    wrong += [f"{script} hides a module of Python" for script in root.glob("tests/**/*.py") if script.stem in sys.stdlib_module_names]
    wrong += places(root)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{count} links")
    if not count:
        sys.exit("no links: is this the source folder?")
    sys.exit(1 if wrong else 0)


main()
