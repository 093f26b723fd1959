#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every call fails once: faults.py PROGRAM LIBRARY quick|texts|full|long|emulated-few|emulated|emulated-long [WORD...]

LIBRARY is that of faults.c, to be preloaded; for "emulated" PROGRAM is that of tests/emu, and the calls
of CUDA fail as well. A clean run of each command line of lines.py counts its calls of every kind. Then
call 1, 2, ... of each kind fails, in each way that it can fail; of many calls a sample. With WORDs, only
the lines that hold them all.

A run with exit status 0 must have given the same bytes as the clean one. Any other run reports one reason, in one
line, and leaves no output: an older file is unchanged, and there are no temporary files. No run may hang, or die by a
signal. A device beside the cores that fails does not end the run: one line may report it.
"""

import collections
import concurrent.futures
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(1, sys.path[0] + "/..")
import lines
from harness import PROGRAM, THREADS, check, finish, run

OLDER = b'{"file": "an older one"}\n'  # as statistics replace it

# The possible failures of each kind of call.
WAYS = {kind: ways.split() for kind, ways in (line.split(": ") for line in """\
memory: ENOMEM
mmap: ENOMEM
mprotect: ENOMEM
madvise: EINVAL
thread: EAGAIN
eventfd: EMFILE
read: short EINTR EAGAIN EIO
pread: short EINTR EIO
write: short EINTR EAGAIN EIO ENOSPC EPIPE
pwrite: short EINTR EIO ENOSPC
vmsplice: short EINTR EAGAIN ENOMEM
tee: EAGAIN EINVAL
pipe: EMFILE
poll: EINTR EAGAIN ENOMEM
stat: EIO
lseek: EIO
ftruncate: EIO EINTR
fallocate: ENOSPC EINTR EINVAL
link: EPERM EIO EINTR
rename: EIO EINTR
close: EIO EINTR
fcntl: EINVAL
open: EMFILE EINTR
dlopen: ENOMEM
folder: EIO
mode: EPERM EINTR
spawn: EAGAIN ENOMEM
wait: EINTR""".splitlines())}
# Calls that a signal may interrupt, without a failure.
SIGNALS = ["SIGUSR1", "SIGTERM", "SIGABRT"]
STRUCK = ["fcntl", "open", "write", "pwrite", "link", "rename", "close", "thread"]
# Errors that do not end the run.
HARMLESS = {(kind, way) for kinds, ways in (line.split(": ") for line in """\
read pread write pwrite vmsplice: short EINTR
read write vmsplice: EAGAIN
poll: EINTR EAGAIN
open link ftruncate close rename wait: EINTR
madvise: EINVAL
fallocate: EINVAL ENOSPC""".splitlines()) for kind in kinds.split() for way in ways.split()}

# Outputs that always differ: an Ogg stream has a random number.
VARIES = {"out.ogg"}
# libsndfile does not check all allocations for FLAC and Vorbis, nor do libFLAC and libvorbis: if they crash, no files
# may be left.
UNSAFE = (".flac", ".ogg", "-T flac")

# Without these, the emulator of a device ends the process. Its own calls are made to fail in tests/emu.
EMULATOR = {"memory", "mmap", "mprotect", "thread"}

# What the CUDA calls do; the emulator counts them and lets them fail, under its own names.
CUDA_WAY = "fails"

# struct tally of faults.c
TALLY = struct.Struct("16sQQ")
KINDS_MOST = 64

Result = collections.namedtuple("Result", "status stdout words files left tally")


def sample(count, most):
    """Numbers from 1 to `count`: all of them, or `most`, the first ones closer together."""
    if count <= most:
        return range(1, count + 1)
    return sorted({max(1, round(count * (i / most) ** 2)) for i in range(1, most + 1)})


class Bench:
    """Runs one command line at a time, in its own folders."""

    def __init__(self, preload, inputs, root):
        self.preload, self.inputs = preload, inputs
        self.home = pathlib.Path(tempfile.mkdtemp(dir=root))
        self.here = self.home / "here"
        self.spool = self.home / "tmp"
        self.tally = self.home / "tally"
        self.cuda_tally = self.home / "cuda_tally"

    def run(self, line, fault=None, older=(), nameless=True):
        stdin, words, out = line
        shutil.rmtree(self.here, ignore_errors=True)
        shutil.rmtree(self.spool, ignore_errors=True)
        self.here.mkdir()
        self.spool.mkdir()
        self.tally.write_bytes(bytes(TALLY.size * KINDS_MOST))
        self.cuda_tally.unlink(missing_ok=True)
        for name in older:
            (self.here / name).write_bytes(OLDER)
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(self.spool), "LC_ALL": "C",
                       "LD_PRELOAD": self.preload, "FAULTS_TALLY": str(self.tally),
                       "GPUENV_EMU_COUNTS": str(self.cuda_tally), "GPUENV_EMU_DEVICES": "2"}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "LLVM_PROFILE_FILE"):
            if name in os.environ:
                environment[name] = os.environ[name]
        if not nameless:
            environment["FAULTS_NAMELESS"] = "no"
        if fault and fault[2] == CUDA_WAY:
            environment["GPUENV_EMU_FAIL"] = "{}:{}".format(*fault)
        elif fault:
            environment["FAULTS"] = "{}:{}:{}".format(*fault)
        command = [PROGRAM] + [str(self.inputs / word[1:]) if word[0] == "@" else word
                                    for word in words.split()]
        redirected = self.home / "redirected"
        data = (self.inputs / stdin).read_bytes() if stdin else None
        with open(redirected, "wb") as file:
            done = run(*command, data=data, cwd=self.here, env=environment,
                       stdout=file if out == "file" else subprocess.PIPE)
        stdout = redirected.read_bytes() if out == "file" else done.out
        files = {str(path.relative_to(self.here)): path.read_bytes()
                 for path in self.here.rglob("*") if path.is_file()}
        left = [path.name for path in self.spool.iterdir()]
        return Result(done.status, stdout, done.lines, files, left, self.read_tally(fault))

    def read_tally(self, fault):
        """Calls of each kind, and how many of them failed."""
        counts = {}
        for name, calls, failed in TALLY.iter_unpack(self.tally.read_bytes()):
            if calls or failed:
                counts[name.rstrip(b"\0").decode()] = (calls, failed)
        if self.cuda_tally.exists():
            for row in self.cuda_tally.read_text().splitlines():
                name, _, calls = row.rstrip().rpartition(" ")
                if not name:
                    continue
                is_it = fault is not None and fault[::2] == (name, CUDA_WAY)
                counts[name] = (int(calls), int(is_it and int(calls) >= fault[1]))
        return counts


def outputs_of(words):
    """The files that the line writes, except the report."""
    words = words.split()
    return [words[i + 1] for i, word in enumerate(words[:-1])
            if word in ("-o", "--stats") and words[i + 1][0] not in "-/"]


def is_large(line):
    return any(name in (part or "") for part in line for name in ("large", "half"))


def is_batch(line):
    """A fault may concern one input: the others are done, and a last line sums up."""
    return "--recursive" in line[1] or line[1].count("@") > 1


def is_beside(line):
    """True if a device works beside the cores, which do its part if it fails."""
    return "--device auto" in line[1]


def without_device(words):
    """The lines, except the report of a device that failed at work, whose part the cores have done."""
    return [word for word in words if not word.endswith(": the CPU did the rest")]


def is_raw(line):
    """True if the frames written before a fault are a prefix of the expected ones. The end of other outputs
    depends on their contents."""
    return not any(word in line[1].split() for word in ("-T", "--stats"))


def complaint(line, fault, clean, result, older):
    """Returns what is wrong with a run; None: nothing."""
    kind, _, way = fault
    status = result.status
    files = {name: content for name, content in result.files.items() if name != "report.json"}
    due = {name: content for name, content in clean.files.items() if name != "report.json"}
    words = [word for word in result.words if word not in clean.words]
    if "-v" in line[1].split():  # the text of such a run differs
        words = words[-1:] if status else []

    if result.left:
        return f"leaves {result.left} in TMPDIR"
    if status == "late":
        return "hangs"
    if kind == "thread" and any("temporarily unavailable" in word for word in words):
        return f"does not say what a thread takes: {words}"
    if any(not word.startswith("gpuenv: ") for word in result.words):
        return "says " + repr([word for word in result.words if not word.startswith("gpuenv: ")])
    if is_beside(line) and len(words) - len(without_device(words)) <= (4 if is_batch(line) else 1):
        words = without_device(words)
    if status == 0:
        if "--time-zone local" in line[1] and fault[::2] == ("open", "EMFILE"):
            return "status 0, without the clock of this system"
        if result.stdout != clean.stdout:
            return f"status 0, {len(result.stdout)} bytes, which are not the {len(clean.stdout)} due"
        if {name: content for name, content in files.items() if name not in VARIES} != {
                name: content for name, content in due.items() if name not in VARIES}:
            return f"status 0, and {sorted(result.files)} are not what is due"
        if words and not (way == "SIGUSR1" and len(words) == 1):
            return f"status 0, and says {words}"
        return None
    if (kind, way) in HARMLESS or (way == CUDA_WAY and is_beside(line)):
        return f"status {status} for a fault without consequence: {words}"
    if kind == "memory" and any(name in line[1] + str(line[0]) for name in UNSAFE) and status in (
            -signal.SIGSEGV, -signal.SIGABRT):
        status = 2
        words = ["gpuenv: a library has crashed"]
    if status == -signal.SIGTERM and way == "SIGTERM" and any("ended by SIGTERM" in word for word in words):
        # A recording: what there was is there, beside older files.
        changed = [name for name in older if files.get(name) != OLDER]
        return f"ended, and the older {changed} changed" if changed else None
    by_signal = way in ("SIGTERM", "SIGABRT") and status == -signal.Signals[way].value
    if by_signal and (not words or "-v" in line[1].split()):
        words = ["gpuenv: the shell tells of the signal"]
        status = 2
    by_pipe = way == "EPIPE" and (status == -signal.SIGPIPE or (status == 2 and not words))
    if not by_pipe and status not in (1, 2, 3):
        return f"status {status}: {result.words}"
    if not by_pipe and not 1 <= len(words) <= (4 if is_batch(line) else 1):
        return f"status {status}, and says {words}"
    if is_raw(line) and result.stdout != clean.stdout[:len(result.stdout)]:
        return "standard output is no beginning of what is due"
    for name, content in files.items():
        whole = (content == due.get(name) or name in VARIES) and (by_signal or is_batch(line))
        # Statistics of several inputs lack those of a failed input.
        whole = whole or (is_batch(line) and name == "stats")
        if not (name in older and content == OLDER) and not whole:
            return f"status {status}, and leaves {name}, {len(content)} bytes"
    if set(older) - set(files):
        return f"status {status}, and the older {sorted(set(older) - set(files))} is gone"
    return None


def undisturbed(bench, line):
    """On a busy machine a device beside the cores may join too late, so there are a few tries."""
    for _ in range(5):
        clean = bench.run(line)
        if clean.status != 0 or not is_beside(line) or "launch" in clean.tally:
            break
    return clean


def faults_of(clean, most, left_out):
    for kind, ways in WAYS.items():
        if kind in left_out:
            continue
        for number in sample(clean.tally.get(kind, (0, 0))[0], most):
            for way in ways:
                yield kind, number, way
    for kind in clean.tally:
        if kind not in WAYS and kind != "unlink":
            for number in sample(clean.tally[kind][0], most):
                yield kind, number, CUDA_WAY
    for kind in STRUCK:
        if kind in left_out:
            continue
        for number in sample(clean.tally.get(kind, (0, 0))[0], most // 2):
            for way in SIGNALS:
                yield kind, number, way


def main():
    _, preload, extent, *wanted = sys.argv[1:]
    table, most, left_out = {
        "quick": (lines.QUICK, 2, set()),
        "texts": (lines.TEXTS, 1000, (WAYS.keys() | set(STRUCK)) - {"memory"}),
        "full": (lines.FULL, 4, set()),
        "long": (lines.FULL, 24, set()),
        "emulated-few": (lines.EMULATED_FEW, 4, EMULATOR),
        "emulated": (lines.EMULATED, 3, EMULATOR),
        "emulated-long": (lines.EMULATED, 16, EMULATOR),
    }[extent]
    table = [line for line in table if all(word in lines.name_of(line) for word in wanted)]
    with tempfile.TemporaryDirectory() as root:
        inputs = pathlib.Path(root) / "inputs"
        inputs.mkdir()
        lines.build(PROGRAM, inputs)
        mine = threading.local()
        counts = collections.Counter()

        def bench():
            if not hasattr(mine, "bench"):
                mine.bench = Bench(preload, inputs, root)
            return mine.bench

        def attempt(line, clean, fault):
            older = outputs_of(line[1]) if fault[1] % 2 == 0 else ()
            result = bench().run(line, fault, older, nameless=fault[1] % 3 != 0)
            counts["runs"] += 1
            counts["failed"] += any(failed for _, failed in result.tally.values())
            counts["refused"] += result.status != 0
            wrong = complaint(line, fault, clean, result, older)
            check(not wrong, f"{lines.name_of(line)}\n    {':'.join(map(str, fault))}: {wrong}")

        with concurrent.futures.ThreadPoolExecutor(min(8, THREADS)) as pool:
            pending = []
            for line in table:
                named = [word[1:] for word in line[1].split() if word[0] == "@"] + [line[0]]
                if any(name and not (inputs / name).exists() for name in named):
                    print(f"left out: {lines.name_of(line)}")
                    continue
                clean = undisturbed(bench(), line)
                works = clean.status == 0 and (not is_beside(line) or "launch" in clean.tally)
                if not check(works, f"{lines.name_of(line)}\n    undisturbed: {clean.status}, {clean.words}, "
                             f"calls: {clean.tally}"):
                    continue
                counts["lines"] += 1
                pending += [pool.submit(attempt, line, clean, fault)
                            for fault in faults_of(clean, most // 2 if is_large(line) else most,
                                                   left_out)]
            for future in pending:
                future.result()
    print(f"{counts['lines']} command lines, {counts['runs']} runs, in {counts['failed']} of them a "
          f"call failed, {counts['refused']} said so")
    check(counts["failed"] > 0, "no call has failed")
    finish()


if __name__ == "__main__":
    main()
