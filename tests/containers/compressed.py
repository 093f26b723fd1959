#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compressed files by name, through the system's programs: compressed.py PROGRAM

The same bytes as from the plain file, in every way that reads one. Programs that fail, die, are missing, or write until
nobody reads are shell scripts in a folder of their own."""

import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, SANITIZED, check, finish, floats, gpuenv, tool, wav

ENDINGS = {ending: program for ending, program in
           (("gz", "gzip"), ("bz2", "bzip2"), ("xz", "xz"), ("zst", "zstd")) if shutil.which(program)}
ACCEPT = " (--accept-damaged makes this a warning)"
TABLE = "t,v\n" + "".join(f"{at},{at * 7 % 1000 / 8}\n" for at in range(60000))


def pack(path, ending):
    packed = path.with_name(f"{path.name}.{ending}")
    packed.write_bytes(tool(ENDINGS[ending], "-c", path))
    return packed


def plain_files(here):
    (here / "a.csv").write_text(TABLE)
    (here / "b.s16").write_bytes(floats(50000, 1))
    (here / "c.wav").write_bytes(wav(floats(20000, 2)))
    (here / "d.npy").write_bytes(b"\x93NUMPY\1\0\x76\0" + b"{'descr': '<f4', 'fortran_order': True, 'shape': (100, 2)}"
                                 .ljust(117) + b"\n" + floats(200, 3))
    gpuenv("-q", "-w", 1, "--emit", "max", here / "c.wav", "-o", here / "e.flac")
    (here / "f.sigmf-data").write_bytes(floats(500, 4))
    (here / "f.sigmf-meta").write_text('{"global": {"core:datatype": "cf32_le", "core:sample_rate": 1000}}')
    return [path for path in sorted(here.iterdir()) if path.suffix != ".sigmf-meta"]


def check_same(here):
    for path in plain_files(here):
        due = gpuenv("-w", 7, path)
        check(due.status == 0, due)
        for ending in ENDINGS:
            done = gpuenv("-w", 7, pack(path, ending))
            check((done.status, done.said, done.out) == (0, "", due.out), done)
    for ending, program in ENDINGS.items():
        due = gpuenv("-w", 7, here / "a.csv")
        named = here / f"-A.CSV.{ending.upper()}"
        (here / "packed").mkdir(exist_ok=True)
        target = shutil.copy(here / f"a.csv.{ending}", here / "packed" / f"a.csv.{ending}")
        named.symlink_to(target)
        done = gpuenv("-w", 7, "--", named.name, cwd=here)
        check((done.status, done.out) == (0, due.out), done)
        # What says nothing by itself is what -t says.
        bare = here / f"bare.{ending}"
        shutil.copy(here / f"a.csv.{ending}", bare)
        done = gpuenv("-w", 7, "-t", "csv", bare)
        check((done.status, done.out) == (0, due.out), done)
        done = gpuenv("-w", 7, "--frames", 20, here / f"a.csv.{ending}")
        check((done.status, done.said) == (0, ""), done)
        done = gpuenv("-w", 7, "--shard", "1/2", here / f"b.s16.{ending}")
        check(done.status == 2 and "unpack it first (--shard)" in done.said, done)
        done = gpuenv("-w", 7, "-T", "f32", here / f"b.s16.{ending}", "-o", here / f"b.s16.{ending}")
        check(done.status == 2 and "is the input file too" in done.said, done)
        # Without such a name the command is said.
        for words, data in (([], bare.read_bytes()), ([shutil.copy(bare, here / "nameless")], None)):
            done = gpuenv("-w", 7, *words, data=data)
            check(done.status == 2 and f": unpack it: {program} -dc " in done.said, done)


def check_damage(here):
    """What comes before the damage is used, and the program's own words say what is wrong."""
    for ending, program in ENDINGS.items():
        for name in ("a.csv", "e.flac"):
            packed = here / f"{name}.{ending}"
            short = here / f"short-{packed.name}"
            short.write_bytes(packed.read_bytes()[:-200])
            alone = subprocess.run([program, "-dc"], stdin=open(short), capture_output=True, env={"LC_ALL": "C"},
                                   check=False)
            own = alone.stderr.decode().split("\n")
            own = next(line for line in own if line).removeprefix(program + ": ").rstrip()
            own = re.sub(r"^(\(?stdin\)?|/\*stdin\*\\) ?:? ?", "", own)
            done = gpuenv("-w", 7, short)
            check(done.status == 2 and done.said.rstrip().removesuffix(ACCEPT) ==
                  f"gpuenv: {short}: cannot be unpacked: {program}: {own}", done)
            if len(alone.stdout) > 100000:
                check(len(done.out) > 100 and gpuenv("-w", 7, here / name).out.startswith(done.out), done)
            done = gpuenv("-w", 7, short, "-o", here / "out.f32")
            check(done.status == 2 and not (here / "out.f32").exists(), done)
            done = gpuenv("-w", 7, "--accept-damaged", short)
            check(done.status == (0 if alone.stdout else 2) and own in done.said, done)
        foreign = here / f"foreign.csv.{ending}"
        foreign.write_text("1\n2\n3\n")
        done = gpuenv("-w", 7, foreign)
        check(done.status == 2 and f"cannot be unpacked: {program}: " in done.said and not done.out, done)


def check_checksum(here):
    """A wrong checksum is an error, also where the reader had all that it wanted, and rather than a line that is none."""
    (here / "wrong.csv").write_text(TABLE.replace("\n100,", "\n1O0,"))
    for name in ("a.csv", "c.wav", "wrong.csv"):
        packed = bytearray(tool("gzip", "-c", here / name))
        packed[-6] ^= 1
        (here / f"sum-{name}.gz").write_bytes(packed)
        for words in ([], ["--accept-damaged"], ["--bad-lines", "skip"][:2 * (name == "wrong.csv")]):
            done = gpuenv("-w", 7, *words, here / f"sum-{name}.gz", "-o", here / "out.f32")
            check(done.status == 2 and done.lines[-1] == f"gpuenv: {here}/sum-{name}.gz: cannot be unpacked: gzip: "
                  "invalid compressed data--crc error", done)
    # What gzip only warns of is a warning.
    (here / "more.csv.gz").write_bytes((here / "a.csv.gz").read_bytes() + b"garbage")
    done = gpuenv("-w", 7, here / "more.csv.gz")
    check((done.status, done.out) == (0, gpuenv("-w", 7, here / "a.csv").out) and
          done.said == f"gpuenv: {here}/more.csv.gz: gzip: decompression OK, trailing garbage ignored\n", done)


def check_fifo(here):
    """A FIFO with such a name is opened once."""
    due = gpuenv("-w", 7, here / "a.csv").out
    for ending in ENDINGS:
        fifo = here / f"fifo.csv.{ending}"
        os.mkfifo(fifo)
        for _ in range(3):
            with subprocess.Popen(["sh", "-c", 'cat "$0" >"$1"', here / f"a.csv.{ending}", fifo]):
                done = gpuenv("-w", 7, fifo)
            check((done.status, done.said, done.out) == (0, "", due), done)


def ends(file):
    """Does the process whose number is in the file end?"""
    for _ in range(6000):
        try:
            if pathlib.Path("/proc", file.read_text().strip(), "stat").read_text().split()[2] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def check_programs(here):
    """By programs of our own that are called gzip."""
    own = here / "bin"
    own.mkdir()
    (here / "x.csv.gz").write_bytes(b"")
    environment = {"PATH": f"{own}:/usr/bin:/bin", "HERE": str(here)}

    def becomes(script):
        (own / "gzip").write_text(f"#!/bin/sh\n{script}\n")
        (own / "gzip").chmod(0o755)

    for script, said in (("echo 1; kill -9 $$", "cannot be unpacked: gzip was ended by signal 9"),
                         ("echo 1; exit 3", "cannot be unpacked: gzip failed with status 3"),
                         ("echo; echo 'oh no' >&2; echo more >&2; exit 1", "cannot be unpacked: gzip: oh no")):
        becomes(script)
        done = gpuenv("-w", 1, here / "x.csv.gz", env=environment)
        check(done.status == 2 and done.said.rstrip().removesuffix(ACCEPT) == f"gpuenv: {here}/x.csv.gz: {said}", done)
    done = gpuenv("-w", 1, here / "x.csv.gz", env={"PATH": "/nowhere"})
    check(done.status == 2 and "gzip, which is not installed" in done.said, done)
    # It gets no descriptor of ours or of our parent, and the usual signals.
    becomes('ls -l /proc/self/fd >"$HERE/descriptors"; cat /proc/self/status >"$HERE/status"; echo "$@" >"$HERE/words"; '
            'read line || echo 1')
    with open(here / "a.csv") as extra:
        done = subprocess.run([PROGRAM, "-w", "1", "--stats", here / "stats", here / "x.csv.gz"], capture_output=True,
                              env=environment, pass_fds=[extra.fileno()], input=b"not for it\n",
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    check(done.returncode == 0 and done.stderr == b"", done)
    links = re.findall(r" (\d+) -> (.*)", (here / "descriptors").read_text())
    check([number for number, _ in links if number > "2"] in ([], ["3"]), links)  # 3 is that of ls
    check("a.csv" not in str(links), links)
    check(re.search(r"SigBlk:\s+0+\n", (here / "status").read_text()), "signals are blocked")
    check((here / "words").read_text() == "-dc\n", (here / "words").read_text())
    # One that is stopped, or ignores signals, is killed when enough was read.
    for script in ('trap "" TERM INT HUP PIPE; while :; do echo 1 2>&-; done', 'seq 100; kill -STOP $$',
                   'seq 100; sleep 600'):
        becomes(f'echo $$ >"$HERE/process"; {script}')
        done = gpuenv("-w", 1, "--frames", 20, here / "x.csv.gz", env=environment)
        check((done.status, done.said) == (0, ""), done)
        check(ends(here / "process"), script, "goes on")
    # An interrupted run leaves neither an output nor the program. A sanitizer catches SIGSEGV itself.
    for script, number in itertools.product(("exec yes 1", "seq 100; exec sleep 600", "exec sleep 600"),
                                            (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM if SANITIZED else signal.SIGSEGV)):
        (here / "process").unlink()
        becomes(f'echo $$ >"$HERE/process"; {script}')
        process = subprocess.Popen([PROGRAM, "-w", "1", here / "x.csv.gz", "-o", here / "out.f32"], env=environment)
        while not (here / "process").exists() or not (here / "process").read_text():
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(number)
        check(process.wait(60) == -number and not (here / "out.f32").exists(), process.returncode)
        check(ends(here / "process"), script, "goes on")


def check_batch(here):
    folder = here / "folder"
    (folder / "inner").mkdir(parents=True)
    names = [f"{name}.{ending}" for name, ending in zip(("a.csv", "b.s16", "c.wav", "e.flac"), [*ENDINGS] * 4)]
    for name in names:
        shutil.copy(here / name, folder / "inner")
    (folder / "bare.gz").write_bytes(b"")
    done = gpuenv("-w", 7, "-T", "f32", "--recursive", "--out-dir", here / "out", folder)
    check(done.status == 0 and "1 file passed over" in done.said, done)
    for name in names:
        due = gpuenv("-w", 7, "-T", "f32", here / name.rpartition(".")[0]).out
        check((here / "out" / "inner" / f"{name[0]}.f32").read_bytes() == due, name)
    done = gpuenv("-w", 7, "--out-dir", here / "out2", here / "a.csv", here / names[0])
    check(done.status == 2 and "--name '{file}.{ext}' keeps them apart" in done.said, done)
    done = gpuenv("-w", 7, "--out-dir", here / "out2", here / "b.s16", here / f"foreign.csv.{[*ENDINGS][0]}")
    check(done.status == 2 and os.listdir(here / "out2") == ["b.f32"] and "1 of 2" in done.said, done)


with tempfile.TemporaryDirectory() as folder:
    for test in (check_same, check_damage, check_checksum, check_fifo, check_programs, check_batch):
        test(pathlib.Path(folder))
finish()
