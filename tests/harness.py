# SPDX-License-Identifier: MIT
"""What the scripts of tests/ share: checks and their count, skipping, runs of a program, pipes, tables, files of samples.

A script stands in a folder beside this file and begins with

    sys.path.insert(1, sys.path[0] + "/..")
    from harness import check, finish
"""

import array
import concurrent.futures
import contextlib
import csv
import faulthandler
import fcntl
import functools
import io
import itertools
import os
import pathlib
import random
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

SKIP = 77  # SKIP_RETURN_CODE of ctest
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
THREADS = os.cpu_count() or 1
# Programs are slow to start there, and memory is not to be limited.
SANITIZED = bool(os.environ.get("GPUENV_SANITIZE"))
# A slow build: of many cases a part is enough, as all of them are tried in other builds.
FEW = bool(os.environ.get("GPUENV_FEW"))
if len(sys.argv) < 2:
    sys.exit(sys.modules["__main__"].__doc__)
PROGRAM = os.path.abspath(sys.argv[1])
# What hangs says where, before ctest ends it without a word.
if "GPUENV_SECONDS" in os.environ:
    faulthandler.dump_traceback_later(0.9 * float(os.environ["GPUENV_SECONDS"]), exit=True)


def argument(at, default):
    """A number or word of the command line, of the same type as its default."""
    return type(default)(sys.argv[at]) if len(sys.argv) > at else default


# ---- skipping


def skip(*why):
    print(*why)
    sys.exit(SKIP)


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            skip("no", program)


@contextlib.contextmanager
def needed_modules():
    """Around imports of what Python itself does not have."""
    try:
        yield
    except ImportError as missing:
        skip(f"{missing} for {sys.executable}")


# ---- checks

_counts = {"checks": 0, "failures": 0}
_lock = threading.Lock()


def check(condition, *words):
    """Counts; says the words when the condition does not hold. Returns whether it does."""
    with _lock:
        _counts["checks"] += 1
        if not condition:
            _counts["failures"] += 1
            print("FAILED:", *words, flush=True)
    return bool(condition)


def failures():
    return _counts["failures"]


def finish(*words):
    """The last line and the exit status; a script that has checked nothing fails."""
    print(*words, f"{_counts['checks']} checks, {_counts['failures']} failed")
    sys.exit(1 if _counts["failures"] or not _counts["checks"] else 0)


def in_threads(work, items):
    """(item, work(item)), as they get done. An item is drawn when a thread is free for it."""
    items = iter(items)
    flying = {}
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        while True:
            for item in itertools.islice(items, THREADS + 1 - len(flying)):
                flying[pool.submit(work, item)] = item
            if not flying:
                return
            done, _ = concurrent.futures.wait(flying, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                yield flying.pop(future), future.result()


def check_seeds(faults_of, seeds, command):
    """faults_of(seed) lists what is wrong. command(seed) are the arguments that repeat it. Five failures are enough."""
    failed = failures()
    for seed, faults in in_threads(faults_of, itertools.takewhile(lambda _: failures() < failed + 5, seeds)):
        check(not faults, shlex.join(map(str, [sys.argv[0], *command(seed)])),
              *("\n    " + why for why in faults))


def check_cases(faults_of, usual):
    """As many cases as the script is told, [CASES [SEED]], or the usual number; returns the first seed."""
    cases, first = argument(2, usual), argument(3, 0)
    check_seeds(faults_of, range(first, first + cases), lambda seed: [PROGRAM, 1, seed])
    return first


# ---- runs


class Run:
    """A run that has ended: exit status, standard output, and what it says on standard error."""

    def __init__(self, command, status, out, errors):
        self.command, self.status, self.out = command, status, out
        self.said = os.fsdecode(errors)
        self.lines = self.said.splitlines()

    def __str__(self):
        lines = self.lines if len(self.lines) < 12 else self.lines[:6] + ["..."] + self.lines[-5:]
        reports = [at for at, line in enumerate(self.lines) if "Sanitizer: " in line]
        if reports:
            lines = self.lines[reports[0]:reports[0] + 60]
        command = shlex.join(map(str, self.command))
        if len(command) > 500:
            command = f"{command[:400]} ... {command[-80:]}"
        return "\n  ".join([f"{command}: status {self.status}", *lines])


def run(*words, data=None, timeout=200, **how):
    """A run of any program. Its input is none, or `data`, which comes through a pipe: bytes, or pieces of them."""
    words = [str(word) if isinstance(word, (int, float)) else word for word in words]
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    if data is not None:
        how["stdin"], end = os.pipe()
        feeder = feed(end, [data] if isinstance(data, bytes) else data)
    try:
        done = subprocess.run(words, timeout=timeout, check=False, **how)
        ended = Run(words, done.returncode, done.stdout or b"", done.stderr or b"")
    except subprocess.TimeoutExpired as late:
        ended = Run(words, "late", late.stdout or b"", (late.stderr or b"") + b"\nstill at work after %d seconds" % timeout)
    if data is not None:
        os.close(how["stdin"])
        feeder.join()
    return ended


gpuenv = functools.partial(run, PROGRAM)


class Shell:
    """A bash that runs commands, each in a process of its own, without input, in the folder here/ of `work`; the program is in
    its PATH, and `folders`. To start a bash for each command takes as long as the command."""

    LOOP = r"""while IFS= read -rd '' command; do (eval "$command") </dev/null 2>"$1"; printf '\n\1%d\n' $?; done"""

    def __init__(self, work, *folders):
        programs, here, self.errors = [pathlib.Path(work, name) for name in ("bin", "here", "errors")]
        programs.mkdir()
        here.mkdir()
        (programs / os.path.basename(PROGRAM)).symlink_to(PROGRAM)
        path = os.pathsep.join(map(str, [programs, *folders, os.environ["PATH"]]))
        self.bash = subprocess.Popen(["bash", "-c", self.LOOP, "bash", self.errors], cwd=here, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, env={**os.environ, "PATH": path, "LC_ALL": "C"})

    def run(self, command):
        signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"FAILED: still at work: {command}"))
        signal.alarm(200)
        self.bash.stdin.write(command.encode() + b"\0")
        self.bash.stdin.flush()
        lines = []
        while not (line := self.bash.stdout.readline()).startswith(b"\1"):
            lines.append(line)
        signal.alarm(0)
        return Run([command], int(line[1:]), b"".join(lines)[:-1], self.errors.read_bytes())


def tool(*words, **how):
    """The standard output of another program, which has to succeed."""
    done = run(*words, **how)
    check(done.status == 0, done)
    return done.out


def ffmpeg(*words):
    tool("ffmpeg", "-v", "error", "-nostdin", "-y", *words)


def outcome_of(data, path, *words):
    """Of a run on a file of these bytes, which goes again: the output, the exit status, and our own messages."""
    path.write_bytes(data)
    done = gpuenv("-w", 1, "--emit", "max", *words, path)
    path.unlink()
    said = done.said.removesuffix("\n")
    check(not said or said.startswith("gpuenv:"), path.name, said)
    return done.out, done.status, said


def gpuenv_reads(draw, data, name, *words):
    """A run on the bytes of a file of that name, or of a pipe to which they come in pieces."""
    if draw.random() < 0.4:
        return gpuenv(*words, "-", data=list(cut(data, iter(lambda: draw.choice([1, 3, 17, 100, 4096]), 0))))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_bytes(data)
        return gpuenv(*words, path)


def table_faults(run, head, due, delimiter=","):
    """What is wrong with a table that came out. `due` has the cells before the numbers, and the numbers, of each line."""
    lines = list(csv.reader(io.StringIO(run.out.decode()), delimiter=delimiter))
    if run.status != 0 or lines[:1] != [head] or len(lines) - 1 != len(due):
        return [str(run), f"{lines[:1]} and {len(lines) - 1} lines, not {head} and {len(due)}"]
    for line, (before, values) in zip(lines[1:], due):
        got = [float(cell) for cell in line[len(before):]]
        same = len(got) == len(values) and all(a == b or (a != a and b != b) for a, b in zip(got, values))
        if line[:len(before)] != before or not same:
            return [str(run), f"{line}, not {before} and {values}"]
    return []


def seconds(command):
    """How long a shell command takes, as a whole process."""
    start = time.perf_counter()
    subprocess.run(["sh", "-c", command], check=True)
    return time.perf_counter() - start


def feed(end, pieces):
    """Starts a thread that writes each of these to the end of a pipe, and then closes it."""

    def work():
        try:
            for piece in pieces:
                os.write(end, piece)
        except BrokenPipeError:
            pass  # not all of it is wanted
        os.close(end)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


# Bytes in a pipe, by either of its ends.
def unread(end):
    return int.from_bytes(fcntl.ioctl(end, termios.FIONREAD, bytes(4)), sys.byteorder)


def cut(data, sizes):
    """The data in pieces of these sizes, and what is left after them."""
    at = 0
    sizes = iter(sizes)
    while at < len(data):
        size = next(sizes, len(data))
        yield data[at:at + size]
        at += size


# ---- files of samples


def wav(data, channels=1, bits=16, rate=8000, floating=False, form=b"RIFF", size=None):
    """A WAV file; `size` is what it says of its data."""
    size = len(data) if size is None else size
    frame = channels * bits // 8
    return (form + struct.pack("<I", min(36 + size, 0xFFFFFFFF)) + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, 3 if floating else 1, channels, rate, rate * frame, frame, bits)
            + b"data" + struct.pack("<I", size) + data)


def floats(count, seed):
    """So many float32 from -1 to 1."""
    draw = random.Random(seed)
    return array.array("f", (draw.uniform(-1, 1) for _ in range(count))).tobytes()


def memory_folder():
    """A folder in memory; None, which is the usual one for temporary files, where there is none."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def file_in_memory(suffix, *parts):
    """A file of these bytes in memory; it is removed with the object."""
    file = tempfile.NamedTemporaryFile(dir=memory_folder(), prefix="gpuenv-perf-", suffix=suffix)
    file.writelines(parts)
    file.flush()
    return file


def memory_file(size, seed=1):
    """One of random float32."""
    block = floats(1 << 20, seed)
    return file_in_memory(".f32", *[block] * (size // len(block)), block[:size % len(block)])
