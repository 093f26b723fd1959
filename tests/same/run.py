#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares two builds: run.py OLD NEW [FILTER...], or keeps what is compared of one: run.py keep BUILD FOLDER

OLD and NEW are programs, or folders: of a build, or what `keep` has made of one. Runs the command lines of lines.txt
that contain each FILTER with both, each in an empty folder, and compares standard output, standard error, the exit
status of each command, and the files in the folder afterwards. Of a line that stands for many, 24 are run; with `all`
in place of a FILTER, all of them, which takes twice as long. For a line whose result depends on timing, marked (racy),
only the exit status is compared. Lines call

    gpuenv, gpuenv-emu    the program, and the one with emulated devices
    calls, calls-emu      calls of gpuenv.h (calls.c), as the library answers them
    arrays, arrays-emu    calls of the Python package (arrays.py)
    outcomes, ...-emu     the program, of whose calls each fails once (outcomes.py)

and those for which OLD or NEW lacks something are left out, which the end says. intended.txt lists the differences
that are meant. Its lines are those of CHANGELOG.md since the last release, and it is emptied with them.

Masked: seconds, rates, chunks, busy times and the choice of a device in a report and in the output of -v; how much memory
there is; the version; the serial number of an Ogg stream; the process id in a message about a signal. Compare OLD with
itself before you believe a difference. Builds with and without CUDA have different messages for --device cuda."""

import collections
import concurrent.futures
import hashlib
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import inputs
from harness import THREADS, check, finish

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60
MOST = 24  # command lines that one of lines.txt stands for

# `feed` is a cat without a message about SIGPIPE. `sorted` is for messages about files that are done at the same time.
# `digest` is for one file of many. `beginning` speaks if what a run has left in its first file is no beginning of the
# second one.
PRELUDE = """
sorted() {
    local status=0
    "$@" 2>"$TMPDIR/said" || status=$?
    sort "$TMPDIR/said" >&2
    rm "$TMPDIR/said"
    return $status
}
digest() {
    "$@" | md5sum | cut -c 1-12
    echo "${PIPESTATUS[0]}"
}
preloaded() { LD_PRELOAD=$FAULTS_LIBRARY "$@"; }
nan_at() { printf '\\0\\0\\300\\177' | dd bs=4 seek="$1" conv=notrunc of="$2" status=none; }
beginning() { cmp "$1" "$2" 2>&1 | grep -v "EOF on $1"; rm -f "$1" "$2"; }
feed() { cat "$@" 2>/dev/null || true; }
slowly() { while read -r -n 400 -N 400 part; do printf %s "$part"; sleep 0.01; done <"$1"; }
"""
EPILOGUE = '\necho "${PIPESTATUS[@]}" >&%d\n'  # to a pipe of its own

MASKS = [row.encode().split(b" => ") for row in r"""
"version": "[^"]*" => "version": "VERSION"
"seconds": [-+.e0-9]+ => "seconds": SECONDS
"busy": \{[^}]*\} => "busy": BUSY
"bottleneck": "[a-z]*" => "bottleneck": STAGE
"chunks": [0-9]+ => "chunks": COUNT
: [.0-9]+ s, [^,\n]*frame/s, [^,\n]*B/s, chunks: [0-9]+ => : SECONDS, RATES, CHUNKS
busy: reader .* is the bottleneck => busy: WHO
\n? +"choice": (\{[^}]*\}|null), => 
gpuenv: auto: [^\n]*\n => 
but only [.0-9]+ [KMG]iB is => but only SOME is
gpuenv [0-9]+\.[0-9]+\.[0-9]+ => gpuenv VERSION
bash: line [0-9]+: +[0-9]+  => bash: PROCESS 
""".strip("\n").splitlines()]


# What is compared, by its place in the folder of a build, and the command that lines call it by.
PRODUCTS = {
    "gpuenv": "src/gpuenv",
    "gpuenv-emu": "tests/emu/gpuenv-emu",
    "calls": "src/lib/libgpuenv.so.0",
    "calls-emu": "tests/same/libgpuenv.so.0",
    "arrays": "python/gpuenv",
    "arrays-emu": "python-emu/gpuenv",
}
# What NEW has for both.
TOOLS = {"calls": "tests/same_calls", "faults": "tests/gpuenv_faults.so"}
COMMAND = re.compile(r"(?<![\w/-])((?:gpuenv|calls|arrays|outcomes)(?:-emu)?|preloaded)(?![\w-])")
TOOL = re.compile("(calls|arrays|outcomes)(-emu)? ")
BY_ROW = re.compile(f"{TOOL.pattern}|for file in ")


def masked(content):
    for pattern, instead in MASKS:
        content = re.sub(pattern, instead, content)
    return content


def alternatives(line):
    """The lines that {a|b|c} in a line stands for, in the order of an odometer."""
    parts = re.split(r"\{((?! )[^{}]*\|[^{}]*)\}", line)
    choices = [[part] if at % 2 == 0 else part.split("|") for at, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def read_lines(words):
    """Those that contain the words. Which of many are left out does not change from run to run."""
    draw = random.Random(1)
    lines = []
    for line in (HERE / "lines.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            found = [one for one in alternatives(line) if all(word in one for word in words if word != "all")]
            few = sorted(draw.sample(range(len(found)), min(MOST, len(found))))
            lines += found if "all" in words else [found[at] for at in few]
    return lines


def without_serials(content):
    """Ogg pages without the stream's random number, and so without their checksums."""
    pages = content.split(b"OggS")
    return b"OggS".join(page[:10] + page[14:18] + page[22:] for page in pages)


def describe(path):
    """Everything in a file that may differ."""
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    if not path.is_file():
        return "folder" if path.is_dir() else "special file"
    content = path.read_bytes()
    if content.startswith((b"{\n", b'{"version"')):  # a report
        content = masked(content)
    if content.startswith(b"OggS"):
        content = without_serials(content)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{len(content)} bytes, {digest}, mode {path.stat().st_mode & 0o777:o}"


class Build:
    """The commands of one side, as files of a folder."""

    def __init__(self, name, tools, folder):
        self.folder = folder
        self.commands = set()
        folder.mkdir()
        path = pathlib.Path(name).resolve()
        if path.is_dir():
            found = {command: path / place for command, place in PRODUCTS.items()}
        else:
            found = {command: path for command in ("gpuenv", "gpuenv-emu") if command == "gpuenv" or "emu" in path.name}
        for command, product in found.items():
            if product.exists():
                self.add(command, product, tools)

    def add(self, command, product, tools):
        kind = command.removesuffix("-emu")
        if kind == "gpuenv":
            (self.folder / command).symlink_to(product)
            self.commands.add(command)
            if "faults" in tools:
                self.script(command.replace("gpuenv", "outcomes"), f"{HERE}/outcomes.py {product} {tools['faults']}")
                self.commands.add("preloaded")
        elif kind == "arrays":
            self.script(command, f"{sys.executable} {HERE}/arrays.py {product.parent}")
        elif "calls" in tools:
            # The loader misses the version of a library whose names are all visible, and says where that is.
            self.script(command, f"2>/dev/null env LD_LIBRARY_PATH={product.parent} {tools['calls']}")

    def script(self, command, words):
        path = self.folder / command
        path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        path.chmod(0o755)
        self.commands.add(command)


class Place:
    """The folders of one worker. A line sees the same paths with both builds."""

    def __init__(self, root, number):
        self.folder = root / str(number)
        self.folder.mkdir()
        self.originals = root / "in"
        self.inputs = self.folder / "in"
        self.lay_out_inputs()
        (self.folder / "golden").symlink_to(HERE.parent / "golden")
        (self.folder / "tmp").mkdir()
        self.here = self.folder / "here"

    def lay_out_inputs(self):
        shutil.rmtree(self.inputs, ignore_errors=True)
        shutil.copytree(self.originals, self.inputs)
        self.untouched = self.look_at_inputs()

    def look_at_inputs(self):
        looks = {path.name: path.lstat() for path in self.inputs.iterdir()}
        return {name: (look.st_size, look.st_mtime_ns) for name, look in looks.items()}

    def run(self, build, line, faults):
        """{name: result}"""
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        link = self.folder / "bin"
        link.unlink(missing_ok=True)
        link.symlink_to(build.folder)
        environment = dict(os.environ, PATH=f"{link}:{os.environ['PATH']}", LC_ALL="C", FAULTS_LIBRARY=faults,
                           TMPDIR=str(self.folder / "tmp"), PYTHONDONTWRITEBYTECODE="1")
        read_end, write_end = os.pipe()
        # Not in memory: a line may close its descriptors, and both may be the same file.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(
                ["bash", "-c", PRELUDE + line + EPILOGUE % write_end],
                cwd=self.here, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                pass_fds=[write_end], start_new_session=True)
            os.close(write_end)
            try:
                child.wait(SECONDS)
                late = ""
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                late = f" late: killed after {SECONDS} s"
            out.seek(0)
            err.seek(0)
            result = {"standard output": out.read(), "standard error": masked(err.read())}
        with os.fdopen(read_end) as statuses:
            result["exit status"] = statuses.read().strip() + late
        if line.startswith("gpuenv --version"):
            result["standard output"] = masked(result["standard output"])
        for path in sorted(self.here.rglob("*")):
            result[f"file {path.relative_to(self.here)}"] = describe(path)
        left = sorted(path.name for path in (self.folder / "tmp").iterdir())
        if left:
            result["temporary files"] = str(left)
        now = self.look_at_inputs()
        if now != self.untouched:
            changed = {name for name, _ in set(now.items()) ^ set(self.untouched.items())}
            result["inputs it has changed"] = str(sorted(changed))
            self.lay_out_inputs()
        return result


def shorten(what):
    """A short description of the differences."""
    if what is None:
        return "nothing"
    if isinstance(what, str):
        return what
    text = what[:300].decode("utf-8", "backslashreplace")
    digest = hashlib.sha256(what).hexdigest()[:16]
    if not text.isprintable() and not what.startswith((b"gpuenv", b"bash", b"{")):
        return f"{len(what)} bytes, {digest}"
    return f"{len(what)} bytes, {digest}: {text}"


def in_lines(old, new):
    """Of two texts of several lines, those around the first that differ."""
    if not all(isinstance(what, bytes) and what.count(b"\n") > 1 and what[:4000].isascii() for what in (old, new)):
        return shorten(old), shorten(new)
    pairs = itertools.zip_longest(old.split(b"\n"), new.split(b"\n"), fillvalue=b"nothing")
    number, pair = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return [f"line {number}: {shorten(line)}" for line in pair]


def by_row(key, old, new):
    """Of a command line that tries many things, each row is a difference of its own."""
    if not key.startswith("standard"):
        return [(key, old, new)]
    rows = [text.decode(errors="replace").splitlines() for text in (old, new)]
    return [(key, was or "nothing", now or "nothing") for was, now in itertools.zip_longest(
        (row for row in rows[0] if row not in rows[1]), (row for row in rows[1] if row not in rows[0]))]


def read_intended():
    """[(what differs, words of the line in their order)]"""
    intended = []
    for line in (HERE / "intended.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            what, _, pattern = line.partition(": ")
            intended.append((what, pattern.split("*")))
    return intended


def is_intended(intended, key, line):
    def holds(words):
        at = 0
        for word in words:
            at = line.find(word, at)
            if at < 0:
                return False
            at += len(word)
        return True

    return any(what in (key, "all") and holds(words) for what, words in intended)


def keep(build, folder):
    for place in [*PRODUCTS.values(), *TOOLS.values()]:
        if (build / place).is_dir():
            shutil.copytree(build / place, folder / place, ignore=shutil.ignore_patterns("CMake*", "__pycache__"))
        elif (build / place).exists():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(build / place, folder / place)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "keep":
        return keep(*map(pathlib.Path, sys.argv[2:]))
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    intended = read_intended()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="same-") as name:
        root = pathlib.Path(name)
        (root / "in").mkdir()
        inputs.build(root / "in")
        tools = {tool: pathlib.Path(sys.argv[2]).resolve() / place for tool, place in TOOLS.items()}
        tools = {tool: path for tool, path in tools.items() if path.exists()}
        builds = [Build(name, tools, root / side) for side, name in zip(("old", "new"), sys.argv[1:])]
        there = builds[0].commands & builds[1].commands
        lines = read_lines(sys.argv[3:])
        missing = [set(COMMAND.findall(line)) - there for line in lines]
        places = [Place(root, number) for number in range(THREADS)]

        def compare(line):
            place = places.pop()
            try:
                command = line.removeprefix("(racy) ")
                results = [place.run(build, command, str(tools.get("faults", ""))) for build in builds]
            finally:
                places.append(place)
            keys = list(dict.fromkeys([*results[0], *results[1]]))
            if command != line:
                keys = ["exit status"]
            for result in results:
                if "inputs it has changed" in result:
                    print(f"INPUT CHANGED: {line}: {result['inputs it has changed']}")
            found = [(key, *(result.get(key) for result in results)) for key in keys
                     if results[0].get(key) != results[1].get(key)]
            if BY_ROW.match(line):
                found = [one for difference in found for one in by_row(*difference)]
            # The other commands succeed, whatever the builds do.
            if TOOL.match(line) and results[0]["exit status"] != "0":
                found.append(("exit status", *(result["exit status"] for result in results)))
            return found

        lines = [line for line, lacks in zip(lines, missing) if not lacks]
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for line, found in zip(lines, pool.map(compare, lines)):
                # A row stands behind its command line.
                meant = [difference for difference in found if is_intended(
                    intended, difference[0], " ".join(map(str, [line, *difference[1:]])) if BY_ROW.match(line) else line)]
                counts["same" if not found else "as intended" if meant == found else "different"] += 1
                check(meant == found, line)
                for key, old, new in found:
                    if (key, old, new) not in meant:
                        old, new = in_lines(old, new)
                        print(f"    {key}\n      old: {old}\n      new: {new}", flush=True)
    for lack in sorted(set().union(*missing)):
        print(f"{sum(lack in lacks for lacks in missing)} lines left out, because a side has no {lack}")
    finish(f"{counts['same']} same, {counts['as intended']} as intended, {counts['different']} different:")


if __name__ == "__main__":
    main()
