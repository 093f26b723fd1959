#!/usr/bin/python3
"""Prints the lines of each room: lines.py [COMMIT]

Counts the tracked text files of the working tree, or of COMMIT. "product" is src/ without src/bench/, cuda/ and python/."""

import pathlib
import subprocess
import sys

# The room of what was a room once.
NOW = {"base": "core", "window": "core", "sample": "core", "engine": "core", "cpu": "core", "stats": "core", "bytes": "io",
       "stream": "job", "cli": "tool", "batch": "tool", "completions": "tool"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def count(commit):
    """{path: lines}. An empty file is missing."""
    counts = {}
    command = ["git", "grep", "-zIc", "", *commit, "--", "src", "cuda", "python", "tests"]
    found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0:
        sys.exit(found.returncode)
    for line in found.stdout.splitlines():
        name, lines = line.split("\0")
        path = name.removeprefix(f"{commit[0]}:") if commit else name
        counts[pathlib.PurePath(path)] = int(lines)
    return counts


def room_of(path):
    """A folder of src/, "cuda", "python" or "tests"; "src" for files directly in src/. For a commit of before: the rooms
    were folders of their own."""
    folders = path.parts[:-1]
    if folders[0] != "src" or len(folders) == 1:
        return folders[0]
    return NOW.get(folders[1], folders[1])


def main():
    rooms = {}
    for path, lines in count(sys.argv[1:2]).items():
        room = room_of(path)
        rooms[room] = rooms.get(room, 0) + lines
    apart = {room: rooms.pop(room, 0) for room in ("bench", "tests")}
    for room, lines in sorted(rooms.items()):
        print(f"{room:12}{lines:7}")
    print(f"{'product':12}{sum(rooms.values()):7}\n")
    for room, lines in apart.items():
        print(f"{room:12}{lines:7}")


if __name__ == "__main__":
    main()
