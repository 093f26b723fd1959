#!/usr/bin/python3
"""Compares two builds of the program: run.py OLD NEW [FILTER]

Runs every command line of lines.txt that contains FILTER with both programs, each in an empty folder, and compares
standard output, standard error, the exit status of each command, and the files in the folder afterwards. For a line
whose result depends on timing, marked (racy), only the exit status is compared.

Masked: seconds, rates, chunks and busy times in a report and in the output of -v; the version; the serial number of an
Ogg stream; the process id in a message about a signal. Compare OLD with itself before you believe a difference. Builds
with and without CUDA have different messages for --device cuda."""

import concurrent.futures
import hashlib
import itertools
import os
import pathlib
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

# `feed` is a cat without a message about SIGPIPE.
PRELUDE = """
feed() { cat "$@" 2>/dev/null || true; }
slowly() { while read -r -n 400 -N 400 part; do printf %s "$part"; sleep 0.01; done <"$1"; }
"""
EPILOGUE = '\necho "${PIPESTATUS[@]}" >&%d\n'  # to a pipe of its own

MASKS = [
    (rb'"version": "[^"]*"', b'"version": "VERSION"'),
    (rb'"seconds": [-+.e0-9]+', b'"seconds": SECONDS'),
    (rb'"busy": \{[^}]*\}', b'"busy": BUSY'),
    (rb'"bottleneck": "[a-z]*"', b'"bottleneck": STAGE'),
    (rb'"chunks": [0-9]+', b'"chunks": COUNT'),
    (rb": [.0-9]+ s, [^,\n]*frame/s, [^,\n]*B/s, chunks: [0-9]+", b": SECONDS, RATES, CHUNKS"),
    (rb"busy: reader .* is the bottleneck", b"busy: WHO"),
    (rb"gpuenv [0-9]+\.[0-9]+\.[0-9]+", b"gpuenv VERSION"),
    (rb"bash: line [0-9]+: +[0-9]+ ", b"bash: PROCESS "),
]


def masked(content):
    for pattern, instead in MASKS:
        content = re.sub(pattern, instead, content)
    return content


def alternatives(line):
    """The lines that {a|b|c} in a line stands for, in the order of an odometer."""
    parts = re.split(r"\{((?! )[^{}]*\|[^{}]*)\}", line)
    choices = [[part] if at % 2 == 0 else part.split("|") for at, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def read_lines(word):
    lines = []
    for line in (HERE / "lines.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            lines += alternatives(line)
    return [line for line in lines if word in line]


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
    if content.startswith(b"{\n"):  # a report
        content = masked(content)
    if content.startswith(b"OggS"):
        content = without_serials(content)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{len(content)} bytes, {digest}, mode {path.stat().st_mode & 0o777:o}"


class Place:
    """The folders of one worker. A line sees the same paths with both programs."""

    def __init__(self, root, number):
        self.folder = root / str(number)
        self.folder.mkdir()
        self.originals = root / "in"
        self.inputs = self.folder / "in"
        self.lay_out_inputs()
        (self.folder / "golden").symlink_to(HERE.parent / "golden")
        for name in ("bin", "tmp"):
            (self.folder / name).mkdir()
        self.here = self.folder / "here"

    def lay_out_inputs(self):
        shutil.rmtree(self.inputs, ignore_errors=True)
        shutil.copytree(self.originals, self.inputs)
        self.untouched = self.look_at_inputs()

    def look_at_inputs(self):
        looks = {path.name: path.lstat() for path in self.inputs.iterdir()}
        return {name: (look.st_size, look.st_mtime_ns) for name, look in looks.items()}

    def run(self, program, line):
        """{name: result}"""
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        link = self.folder / "bin" / "gpuenv"
        link.unlink(missing_ok=True)
        link.symlink_to(program)
        environment = dict(os.environ, PATH=f"{link.parent}:{os.environ['PATH']}", LC_ALL="C",
                           TMPDIR=str(self.folder / "tmp"))
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


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    programs = [pathlib.Path(name).resolve() for name in sys.argv[1:3]]
    lines = read_lines(sys.argv[3] if len(sys.argv) == 4 else "")
    with tempfile.TemporaryDirectory(prefix="same-") as name:
        root = pathlib.Path(name)
        (root / "in").mkdir()
        inputs.build(root / "in")
        places = [Place(root, number) for number in range(THREADS)]

        def compare(line):
            place = places.pop()
            try:
                command = line.removeprefix("(racy) ")
                results = [place.run(program, command) for program in programs]
            finally:
                places.append(place)
            keys = list(dict.fromkeys([*results[0], *results[1]]))
            if command != line:
                keys = ["exit status"]
            for result in results:
                if "inputs it has changed" in result:
                    print(f"INPUT CHANGED: {line}: {result['inputs it has changed']}")
            return [(key, *(result.get(key) for result in results)) for key in keys
                    if results[0].get(key) != results[1].get(key)]

        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for line, found in zip(lines, pool.map(compare, lines)):
                check(not found, line)
                for key, old, new in found:
                    print(f"    {key}\n      old: {shorten(old)}\n      new: {shorten(new)}",
                          flush=True)
    finish()


if __name__ == "__main__":
    main()
