#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks what the linker does not see of the order of the rooms: includes.py SOURCE_DIR BUILD_DIR

A room may include itself and the rooms that it uses; what it calls, the linker checks (tests/CMakeLists.txt, "the borders
of the rooms"). core has an order inside, for calls too. Neither the includes of headers nor the calls between files form
circles, and no two headers have the same name. A word has one meaning: no two files define one tag, and a tag, a static
function and a file (of another folder) do not share a name. In C, no room calls a function of its own, or a member, by a
name that a header of a room above it defines, or a file with a macro in place of `static`: a reader, and a tool that
draws calls, would go there. A header ends in _priv.h if, and only if, its room alone includes it. A
folder has 24 .c files at most. Above lib, nothing names an engine, makes a machine, or includes what engines and
statistics are made of. A comment has a subject of its own, and the files that it names are there.

Calls are those in the objects of BUILD_DIR, by their relocations; a function passed as a pointer is not called."""

import json
import os
import pathlib
import re
import subprocess
import sys


def folders(text):
    """Those behind the colon are used by the one before it."""
    return {folder: used.split() for folder, _, used in (line.partition(":") for line in text.splitlines())}


# What each room uses, the lowest room first.
ROOMS = folders("""\
core:
cuda: core
lib: core cuda
io: core
format: core lib io
job: core lib io format
tool: core lib io format job
bench: core cuda lib io tool
python: lib""")
# The folders of core, in the same way.
CORE = folders("""\
base:
sample: base
window: base sample
engine: base sample window
cpu: base sample window engine""")
ABOVE_LIB = {"tool", "job", "format", "io", "python"}
# Headers by which one could do the work of an engine, or of statistics: not for rooms above lib,
WAYS = {"lib/lib_priv.h", "window/lemire.h", "cpu/feed.h", "cpu/channel.h"}
# except where statistics of raw frames, or of rows by the clock, are made and written.
STATISTICS = {"src/format/text/stats.c", "src/format/text/figures_priv.h", "src/job/by_clock.c"}
# Rooms that nobody is above, or of which another language has the other half: their headers have any name.
UNNAMED = {"cuda", "bench", "python"}

# Tags of several files: what each engine keeps behind the pointer that others see, and what each instruction set has.
ALIKE = {"engine", "vec_turn"}
# Names that have two meanings. This list may only become shorter.
KNOWN = {
    "emit",  # the word of an option, in rules.h, and the file that makes output frames of it
}

HEADERS = {".h", ".cuh"}
SOURCES = HEADERS | {".c", ".cpp", ".cu"}

MOST_FILES = 24
# Relocations of calls, on x86-64 and on arm64.
CALLS = {"R_X86_64_PLT32", "R_AARCH64_CALL26", "R_AARCH64_JUMP26"}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
FRAGMENT = re.compile(r"(?:/\*|//) ?(?:The same\b|Of )|^[ \t]*/\* NULL:", re.MULTILINE)
NAMED = re.compile(r"\b[a-z]\w*/\w+\.(?:c|h|cuh|cu|cpp)\b")
TAG = re.compile(r"^(?:static |const |typedef )*(?:struct|union|enum|class)\s+(\w+)\s*(?::\s*\w+\s*)?\{", re.MULTILINE)
FUNCTION = re.compile(r"^static\s[^;={}()]*?\b(\w+)\(", re.MULTILINE)
PROTOTYPE = re.compile(r"^(?!static|return|else|typedef)[a-z][\w \t]*[\s*](\w+)\(", re.MULTILINE)
MACRO_STATIC = re.compile(r"^[A-Z]\w* [a-z][\w \t*]*?(\w+)\(", re.MULTILINE)
MEMBER_CALL = re.compile(r"(?:->|\.)(\w+)\(")
ENGINE = re.compile(r"\b(?:engine_(?:cpu|cuda|lemire|none)|(?:machine|devices)_open)\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def room_of(path):
    """The room of a file, whose path is relative to the sources; None when it is in none."""
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    return parts[0] if parts[0] in ROOMS else None


def core_of(path):
    """The folder of core that a file is in, or None."""
    return path.parts[2] if path.parts[:2] == ("src", "core") and path.parts[2] in CORE else None


def knows_cuda(path):
    folders = path.parts[:-1]
    return folders[0] == "cuda" or folders[-2:] == ("bench", "cuda")


def knows_sndfile(path):
    return path.parts[:3] == ("src", "format", "sndfile")


def why_not(source, target):
    """Why `source` may not include `target`, both paths; None if it may."""
    here, there = room_of(source), room_of(target)
    if there is None:
        return "that is in no room"
    name = "/".join(target.parts[-2:])
    if here in ABOVE_LIB and name in WAYS and str(source) not in STATISTICS:
        return "only lib opens engines"
    if here == "python" and there == "lib" and not name.startswith("lib/gpuenv"):
        return "python uses gpuenv.h"
    if here != there:
        return None if there in ROOMS[here] else f"{here} does not use {there}"
    return why_not_in_core(source, target)


def why_not_in_core(source, target):
    here, there = core_of(source), core_of(target)
    return None if here == there or there in CORE[here] else f"{here} does not use {there}"


def why_not_library(source, header):
    """The same for a header of a library."""
    if header.startswith(("cuda_runtime", "cooperative_groups", "thrust/")):
        return None if knows_cuda(source) else "only cuda and bench/cuda know CUDA"
    if header == "sndfile.h":
        return None if knows_sndfile(source) else "only format/sndfile knows libsndfile"
    return None


def resolve(root, source, name):
    """The file that the compiler includes, relative to `root`; None if there is none."""
    for folder in (source.parent, pathlib.Path("src/core"), pathlib.Path("src"), pathlib.Path()):
        path = pathlib.Path(os.path.normpath(folder / name))
        if (root / path).is_file():
            return path
    return None


def read_includes(root, faults):
    """{source: [our files that it includes]}; adds to `faults`."""
    graph = {}
    for folder in ("src", "cuda", "python/src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            source = path.relative_to(root)
            graph[source] = []
            if room_of(source) is None:
                faults.append(f"{source}: is in no room")
                continue
            text = path.read_text()
            if room_of(source) in ABOVE_LIB:
                for match in ENGINE.finditer(text):
                    faults.append(f"{source}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}: only lib opens engines")
            for match in INCLUDE.finditer(text):
                where = f"{source}:{text.count(chr(10), 0, match.start()) + 1}"
                name = match[1] or match[2]
                why = why_not_library(source, name)
                if match[1] and why is None and not name.startswith("cuda_runtime"):
                    target = resolve(root, source, name)
                    why = why_not(source, target) if target else "no such file"
                    if target:
                        graph[source].append(target)
                if why:
                    faults.append(f"{where}: includes {name}: {why}")
    return graph


def objects(root, build):
    """(source, object) of each of our files in the build."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        made = re.search(r" -o (\S+)", entry["command"])
        if made and source.is_relative_to(root) and source.relative_to(root).parts[0] in ("src", "cuda", "python"):
            path = pathlib.Path(entry["directory"]) / made[1]
            if path.exists():
                yield source.relative_to(root), path


def read_calls(root, build):
    """{source: {other source: its functions that are called}}"""
    definers, called = {}, {}
    sources = {str(path): source for source, path in objects(root, build)}
    for line in subprocess.run(["readelf", "-rsW", *sources], capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split()
        if line.startswith("File: "):
            source = sources[line.removeprefix("File: ")]
        elif len(fields) >= 8 and fields[3:5] == ["FUNC", "GLOBAL"] and fields[6] != "UND":
            definers.setdefault(fields[7], set()).add(source)
        elif len(fields) >= 5 and fields[2] in CALLS:
            called.setdefault(source, set()).add(fields[4])
    graph = {}
    for source, names in called.items():
        for name in names:
            # cuda/absent.c defines functions that other files define, too.
            for target in definers.get(name, set()) if source not in definers.get(name, set()) else ():
                graph.setdefault(source, {}).setdefault(target, set()).add(name)
    return graph


def reached(graph, files):
    """What these files lead to, directly or not."""
    seen, coming = set(), list(files)
    while coming:
        new = set(graph.get(coming.pop(), ())) - seen
        seen |= new
        coming += new
    return seen


def knots(graph):
    """The sets of files that lead to each other, directly or not, as sorted lists."""
    reach = {file: reached(graph, [file]) for file in graph}
    return sorted(map(sorted, {frozenset(other for other in reach[file] if file in reach.get(other, ()))
                               for file in graph if file in reach[file]}))


def faults_of_calls(graph):
    for source, targets in sorted(graph.items()):
        for target, names in sorted(targets.items()):
            why = why_not_in_core(source, target) if core_of(source) and core_of(target) else None
            if why:
                yield f"{source}: calls {', '.join(sorted(names))} of {target}: {why}"
    for knot in knots(graph):
        yield "calls in a circle: " + " ".join(map(str, knot))


def faults_of_comments(root, graph):
    """Comments whose subject stands elsewhere, and files that they name and that are not there."""
    there = {"/".join(file.parts[-2:]) for file in graph}
    for file in graph:
        text = (root / file).read_text()
        for match in FRAGMENT.finditer(text):
            yield f"{file}:{text.count(chr(10), 0, match.start()) + 1}: a comment without a subject: {match[0].strip()}"
        for comment in COMMENT.findall(text):
            for name in set(NAMED.findall(comment)) - there:
                yield f"{file}: a comment names {name}, which is not there"


def crowded(graph):
    counts = {}
    for file in graph:
        if file.suffix == ".c":
            counts[file.parent] = counts.get(file.parent, 0) + 1
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES:
            yield f"{folder}: more than {MOST_FILES} .c files"


def namesakes(graph):
    """{name: its headers} for names with several."""
    places = {}
    for file in graph:
        if file.suffix in HEADERS and room_of(file) != "python":  # which includes its own by their names alone
            places.setdefault(file.name, []).append(str(file))
    return {name: files for name, files in places.items() if len(files) > 1}


def is_public(graph):
    """The headers that other rooms include, or that such a header includes."""
    public = {target for file, targets in graph.items() for target in targets if room_of(file) != room_of(target)}
    return public | reached(graph, public)


def misnamed(graph):
    """Faults of names: _priv.h. A template, and what is one, is known by its name."""
    public = is_public(graph)
    for file in graph:
        if file.suffix != ".h" or room_of(file) in UNNAMED:
            continue
        if file.name.endswith("_priv.h") and file in public:
            yield f"{file}: another room includes it, directly or not, so it is not private"
        if not file.name.endswith(("_priv.h", "_tmpl.h")) and file not in public and \
                not file.name.startswith("kernels_") and file.name != "device_too.h":
            yield f"{file}: only its room includes it, so it is called {file.stem}_priv.h"


def words(root, graph):
    """{word: its files} of tags, of static functions, and of files."""
    tags, functions, stems = {}, {}, {}
    for file in graph:
        text = COMMENT.sub("", (root / file).read_text())
        stems.setdefault(file.stem.removesuffix("_priv"), set()).add(file)
        for pattern, found in ((TAG, tags), (FUNCTION, functions)):
            for match in pattern.finditer(text):
                found.setdefault(match[1], set()).add(file)
    return tags, functions, stems


def ambiguous(root, graph):
    tags, functions, stems = words(root, graph)
    for word, files in sorted(tags.items()):
        if len(files) > 1 and word not in ALIKE:
            yield f"several tags are called {word}: {', '.join(map(str, sorted(files)))}"
        for function in sorted(functions.get(word, ())):
            yield f"{word} is a tag ({min(files)}) and a static function ({function})"
    for word, files in sorted(functions.items()):
        headers = [file for file in files if file.suffix in HEADERS and not file.stem.endswith(("_tmpl", "_kernels")) and
                   not file.stem.startswith("kernels_")]
        if headers and len(files) > 1:
            yield f"{word} is a function of a header, {headers[0]}, and of {', '.join(map(str, sorted(files - set(headers[:1]))))}"
    for word, files in sorted(stems.items()):
        folders = {file.parent for file in files}
        for other in sorted(tags.get(word, set()) | functions.get(word, set())):
            if other.parent not in folders and word not in KNOWN | ALIKE:
                yield f"{word} is a file ({min(files)}) and another thing in {other}"


def is_above(room, other):
    """Does `other` use `room`, directly or not?"""
    return room in ROOMS[other] or any(is_above(room, used) for used in ROOMS[other])


def drawn_upwards(root, graph):
    """Faults of names that a room calls, and that only rooms above it define where that can be seen."""
    homes, called = {}, {}
    for file in graph:
        text = COMMENT.sub("", (root / file).read_text())
        if file.suffix == ".c":
            called[file] = {*FUNCTION.findall(text), *MEMBER_CALL.findall(text)}
        seen = {*PROTOTYPE.findall(text), *TAG.findall(text)} if file.suffix == ".h" else MACRO_STATIC.findall(text)
        for name in seen:
            homes.setdefault(name, set()).add(file)
    for file, names in called.items():
        for name in sorted(names & homes.keys()):
            if all(is_above(room_of(file), room_of(home)) for home in homes[name]):
                yield f"{file} calls {name}, which is another thing in a room above: {min(homes[name])}"


def main():
    root, build = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    if not (build / "compile_commands.json").exists():
        print("no compile_commands.json: configure with a preset")
        sys.exit(77)
    faults = [f"{room} comes before {used}, which it uses" for uses in (ROOMS, CORE)
              for room in uses for used in uses[room] if list(uses).index(used) >= list(uses).index(room)]
    graph = read_includes(root, faults)
    faults += ["includes in a circle: " + " ".join(map(str, knot)) for knot in knots(graph)]
    for name, files in sorted(namesakes(graph).items()):
        faults.append(f"{len(files)} headers are called {name}: {', '.join(files)}")
    calls = read_calls(root, build)
    faults += [*faults_of_calls(calls), *crowded(graph), *misnamed(graph), *ambiguous(root, graph),
               *faults_of_comments(root, graph),
               *drawn_upwards(root, graph)]
    for fault in faults:
        print("FAULT:", fault)
    print(f"{len(graph)} files, {len(calls)} of them call others; {len(faults)} faults")
    return 1 if faults or not graph or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
