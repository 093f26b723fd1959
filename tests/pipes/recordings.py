#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A signal ends the input of a recording, and its output is finished: recordings.py PROGRAM [LIBRARY]

A recording is one input without an end of its own, to a file. Everything else dies by the signal, and leaves nothing
behind; but SIGUSR1 asks for a line of progress, and a run that was stopped goes on. With the LIBRARY of tests/faults there
are no files without a name: it is a temporary file that a signal gives its name, or removes."""

import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, SANITIZED, check, feed, finish, floats, gpuenv, unread

POLLS = "7 ", "73 "  # poll(), on arm64 ppoll(), in /proc/PID/syscall


def written(child, folder):
    """Bytes of its output in a folder, which may have no name yet."""
    ends = f"/proc/{child.pid}/fd"
    try:
        return sum(os.stat(f"{ends}/{number}").st_size for number in os.listdir(ends)
                   if os.readlink(f"{ends}/{number}").startswith(f"{folder}/"))
    except FileNotFoundError:
        return 0  # it has just closed one


class Recording:
    """A run that waits for more input, with what it has been given."""

    def __init__(self, folder, *options, data=floats(5000, 1), early=None, copied=False, **how):
        self.child = subprocess.Popen([PROGRAM, *options], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                      **{"stdout": subprocess.DEVNULL, **how})
        if early:
            self.child.send_signal(early)
        os.write(self.child.stdin.fileno(), data)
        self.wait_until(lambda: unread(self.child.stdin.fileno()) == 0)
        # The run has begun, and expects signals, once its main thread waits for the others, or has copied what it was
        # given.
        if copied:
            self.wait_until(lambda: written(self.child, tempfile.gettempdir()) >= len(data))
        else:
            self.wait_until(lambda: pathlib.Path(f"/proc/{self.child.pid}/syscall").read_text().startswith(POLLS))

    @staticmethod
    def wait_until(reached):
        while not reached():
            time.sleep(0.01)

    def end(self, *numbers):
        """Sends these signals, all at once, and says how it ended."""
        for number in [signal.SIGSTOP, *numbers, signal.SIGCONT] if len(numbers) > 1 else numbers:
            self.child.send_signal(number)
        # Its input does not end by itself.
        said = self.child.stderr.read().decode()
        return self.child.wait(), said


def recordings(folder):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        status, said = Recording(folder, "-r", "8000", "-w", "10", "-o", "out.wav").end(number)
        check(status == -number and said.count("\n") == 1 and f"{number.name} after 5000 frames" in said, status, said)
        sound = (folder / "out.wav").read_bytes()
        size = int.from_bytes(sound[-4991 * 8 - 4:-4991 * 8], "little")
        check(size == 4991 * 8, size, "bytes of frames, says its header")
        os.remove(folder / "out.wav")
    # In turns, with statistics, and with a byte too many.
    status, said = Recording(folder, "-w", "1", "--threads", "1", "--stats", "stats", "-o", "out.f32",
                             data=floats(100, 2) + b"x").end(signal.SIGINT)
    check(status == -signal.SIGINT and (folder / "out.f32").stat().st_size == 800, status, said)
    check('"frames":100,' in (folder / "stats").read_text(), "statistics of another length")
    # An older file stays.
    before = (folder / "out.f32").read_bytes()
    status, said = Recording(folder, "-w", "2", "-o", "out.f32", data=floats(50, 3)).end(signal.SIGTERM)
    check(status == -signal.SIGTERM and "out.f32.part" in said, status, said)
    check((folder / "out.f32").read_bytes() == before, "the older file has changed")
    check((folder / "out.f32.part").stat().st_size == 49 * 8, "another part")
    # The last interval of a table is written; half a line is not.
    status, said = Recording(folder, "-t", "csv", "--time", "t", "--zoom", "1min", "-o", "out.csv",
                             data=b"t,v\n1,1\n61,2\n62,3\n63,").end(signal.SIGINT)
    check((folder / "out.csv").read_text() == "frame,t,v_min,v_max\n0,0,1,1\n1,60,2,3\n", status, said)
    # A second request that comes at once is the same one.
    status, said = Recording(folder, "-w", "2", "-o", "twice.f32").end(signal.SIGHUP, signal.SIGTERM)
    check(status == -signal.SIGHUP and (folder / "twice.f32").stat().st_size == 4999 * 8, status, said)
    os.remove(folder / "twice.f32")
    # FLAC in a pipe is copied to a temporary file before it is read: the recording ends there.
    if gpuenv("-r", 8000, "-t", "f32", "-w", 1, "--emit", "max", "-T", "flac:s16", "-", "-o", folder / "in.flac",
              data=floats(30000, 4)).status == 0:
        half = (folder / "in.flac").read_bytes()[:40000]
        status, said = Recording(folder, "-w", "2", "-o", "flac.f32", data=half, copied=True).end(signal.SIGINT)
        frames = re.search("ended by SIGINT after ([0-9]+) frames; the output is flac.f32", said)
        check(status == -signal.SIGINT and frames and said.count("\n") == 1, status, said)
        check((folder / "flac.f32").stat().st_size == (int(frames[1]) - 1) * 8 > 0, "frames of FLAC")
        os.remove(folder / "in.flac")
        os.remove(folder / "flac.f32")
    # Nothing has come at all.
    status, said = Recording(folder, "-w", "2", "-t", "f32", "-o", "none.f32", data=b"").end(signal.SIGINT)
    check(status == -signal.SIGINT and (folder / "none.f32").stat().st_size == 0, status, said)
    # At full speed; and while it waits for a reader that does not read.
    reader, writer = os.pipe()
    for words, number, said in (["-o", "fast.f32"], signal.SIGINT, b"ended by SIGINT after"), ([], signal.SIGTERM, b""):
        with open("/dev/zero", "rb") as zeros:
            child = subprocess.Popen([PROGRAM, "-w", "8", *words], cwd=folder, stdin=zeros, stdout=writer,
                                     stderr=subprocess.PIPE)
        Recording.wait_until(lambda: written(child, folder) > 0 if words else unread(reader) > 0)
        child.send_signal(number)
        told = child.stderr.read()
        check(child.wait() == -number and said in told and bool(said) == bool(told), child.returncode, told)
    check((folder / "fast.f32").stat().st_size > 0, "no frames")
    os.remove(folder / "fast.f32")
    # To standard output, and in a batch, it dies at once.
    status, said = Recording(folder, "-w", "2").end(signal.SIGINT)
    check(status == -signal.SIGINT and said == "", status, said)
    status, said = Recording(folder, "-t", "f32", "-w", "2", "--out-dir", "many", "/dev/stdin").end(signal.SIGINT)
    check(status == -signal.SIGINT and not list((folder / "many").glob("*")), status, said)
    left = sorted(path.name for path in folder.iterdir())
    check(left == ["many", "none.f32", "out.csv", "out.f32", "out.f32.part", "stats"], left)


def progress(folder):
    """SIGUSR1 that is ignored from the start cannot come too early, and is answered as soon as there is a handler."""
    for how in {}, {"early": signal.SIGUSR1, "preexec_fn": lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN)}:
        with open(folder / "out", "wb") as out:
            child = Recording(folder, "-w", "3", "-t", "f32", data=b"aaaabbbbccccdddd", stdout=out, **how).child
        for _ in range(2):
            child.send_signal(signal.SIGUSR1)
            line = child.stderr.readline()
            check(re.match(rb"gpuenv: .*\d", line), "no line of progress:", line)
        child.send_signal(signal.SIGSTOP)
        os.write(child.stdin.fileno(), b"eeee")
        time.sleep(0.2)
        child.send_signal(signal.SIGCONT)
        os.write(child.stdin.fileno(), b"ffff")
        child.stdin.close()
        # The early one is answered, too, if the program is faster than this one.
        check(re.fullmatch(rb"(gpuenv: .*\d.*\n)?" if how else b"", child.stderr.read()) and child.wait() == 0, "status", child.returncode)
        due = gpuenv("-w", 3, data=b"aaaabbbbccccddddeeeeffff").out
        check((folder / "out").read_bytes() == due, "other frames, after a stop")


def stopped(folder):
    """At full speed, stopped again and again, with signals all the while."""
    with open(folder / "out", "wb") as out:
        child = subprocess.Popen([PROGRAM, "-w", "1000"], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL)
    feeder = feed(os.dup(child.stdin.fileno()), itertools.repeat(bytes(10**6), 100))
    child.stdin.close()
    # SIGUSR1 would end a program that does not handle it yet.
    Recording.wait_until(lambda: (folder / "out").stat().st_size > 0)
    for _ in range(5):
        child.send_signal(signal.SIGUSR1)
        child.send_signal(signal.SIGSTOP)
        time.sleep(0.02)
        child.send_signal(signal.SIGCONT)
    check(child.wait() == 0 and (folder / "out").stat().st_size == (25_000_000 - 999) * 8, child.returncode)
    feeder.join()


def named(folder):
    """A file that another process has put in the place of ours is not used as the output."""
    out = folder / "out"
    out.mkdir()

    def start():
        recording = Recording(folder, "-w", "2", "-t", "f32", "-o", "out/out.f32", data=b"aaaabbbbcccc", env={
            **os.environ, "LD_PRELOAD": sys.argv[2], "FAULTS_NAMELESS": "no"})
        recording.wait_until(lambda: list(out.glob(".out.f32.*")))
        return recording

    ends = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    caught = [signal.SIGQUIT, signal.SIGUSR2, signal.SIGIO, signal.SIGPWR, signal.SIGRTMIN, signal.SIGRTMAX]
    faults = [signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS]
    for number in ends + caught + faults * (not SANITIZED):  # those are the sanitizer's
        status, said = start().end(number)
        left = {path.name: path.stat().st_size for path in out.iterdir()}
        check(status == -number and left == ({"out.f32": 16} if number in ends else {}), number, status, said, left)
        (out / "out.f32").unlink(missing_ok=True)
    recording = start()
    theirs, = out.glob(".out.f32.*")
    theirs.rename(out / "ours")
    theirs.write_text("not what was written")
    recording.child.stdin.close()
    said = recording.child.stderr.read()
    check(recording.child.wait() == 2 and b"another program has replaced" in said and not (out / "out.f32").exists(), said)


for test in [named] if sys.argv[2:] else [recordings, progress, stopped]:
    with tempfile.TemporaryDirectory() as name:
        test(pathlib.Path(name))
finish()
