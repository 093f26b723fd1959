#!/usr/bin/python3
"""Holds the rooms of the house against their order: includes.py SOURCE_DIR

A room includes itself and the rooms below it. So an include that goes up is a fault, and two rooms
that include each other are one, because one of the two goes up. Headers form no circle, and no
name stands for two headers."""

import os
import pathlib
import re
import sys

# The lowest room first.
ROOMS = ["base", "sample", "window", "bytes", "format", "engine", "cpu", "cuda", "stats", "stream",
         "cli", "job", "batch", "main.c", "completions"]
FLOORS = {room: floor for floor, room in enumerate(ROOMS)}
ABOVE_BENCH = {"job", "batch", "main.c", "completions"}
ENGINES = {"cpu", "cuda"}

HEADERS = {".h", ".cuh"}
SOURCES = HEADERS | {".c", ".cpp", ".cu"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def room_of(path):
    """The room of a file, whose path is relative to the sources; None when it is in none."""
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    if parts[0] == "bench":
        return "bench"
    return parts[0] if parts[0] in FLOORS else None


def knows_cuda(path):
    folders = path.parts[:-1]
    return folders[0] == "cuda" or folders[-2:] == ("bench", "cuda")


def knows_sndfile(path):
    return path.parts[:3] == ("src", "format", "sndfile")


def why_not(source, target):
    """What speaks against an include of `target` by `source`, both paths; None when it may be."""
    here, there = room_of(source), room_of(target)
    if there is None:
        return "that is in no room"
    if here == there:
        return None
    if there == "bench":
        # It writes the completions of both programs.
        return None if here == "completions" else "only bench includes bench"
    if here == "bench":
        return "bench does not include this room" if there in ABOVE_BENCH else None
    if {here, there} == ENGINES:
        return "the engines do not know each other"
    if FLOORS[there] > FLOORS[here]:
        return f"{there} is above {here}"
    return None


def why_not_library(source, header):
    """The same for a header of a library."""
    if header.startswith(("cuda_runtime", "cooperative_groups", "thrust/", "nvtx3/")):
        return None if knows_cuda(source) else "only cuda and bench/cuda know CUDA"
    if header == "sndfile.h":
        return None if knows_sndfile(source) else "only format/sndfile knows libsndfile"
    return None


def resolve(root, source, name):
    """The file that the compiler takes, relative to `root`; None when there is none."""
    for folder in (source.parent, pathlib.Path("src"), pathlib.Path()):
        path = pathlib.Path(os.path.normpath(folder / name))
        if (root / path).is_file():
            return path
    return None


def read_includes(root, faults):
    """{source: [the files of ours that it includes]}; what may not be goes to `faults`."""
    graph = {}
    for folder in ("src", "cuda", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            source = path.relative_to(root)
            graph[source] = []
            if room_of(source) is None:
                faults.append(f"{source}: is in no room")
                continue
            text = path.read_text()
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


def circles(graph):
    """Each circle of includes once, as a list of files."""
    found = []
    done = set()

    def walk(file, way):
        if file in way:
            found.append(way[way.index(file):] + [file])
        elif file not in done:
            for target in graph.get(file, []):
                walk(target, way + [file])
            done.add(file)

    for file in graph:
        walk(file, [])
    return found


def namesakes(graph):
    """{name: its headers} where there are several."""
    places = {}
    for file in graph:
        if file.suffix in HEADERS:
            places.setdefault(file.name, []).append(str(file))
    return {name: files for name, files in places.items() if len(files) > 1}


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    faults = []
    graph = read_includes(root, faults)
    for circle in circles(graph):
        faults.append("a circle: " + " -> ".join(map(str, circle)))
    for name, files in sorted(namesakes(graph).items()):
        faults.append(f"{len(files)} headers are called {name}: {', '.join(files)}")
    for fault in faults:
        print(fault)
    print(f"{len(graph)} files, {len(faults)} faults")
    return 1 if faults or not graph else 0


if __name__ == "__main__":
    sys.exit(main())
