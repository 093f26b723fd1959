#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The whole program on a device, byte by byte against the sequential algorithm: program.py GPUENV_EMU, or for a real
device: program.py GPUENV real [DEVICE]"""

import os
import pathlib
import random
import re
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check, feed, finish, run

REAL = argument(2, "emulated") == "real"
DEVICE = argument(3, "cuda")
NOISE = random.Random(1).randbytes(400_000)
LONG = 8 * NOISE

FRAMES = """\
-w 512
-w 2 --chunk 3000
-w 100 -c 2 --align center --edge nan
-w 20000 -t s16 -c 4 --align causal
-w 1000 -t cs16 -B --emit abs,mid --align center
-w 90000 --align center --chunk 5000
-w 5000 --emit max --chunk 7001 --nan omit
-w 441 --hop 441 -t u8 --emit min,max,range
-w 512 -t f64 -T f64
-w 7 -t s32 -T f64 -c 2 --chunk 3000
-w 1500 -t f64 -T f64 -c 2 --emit range,mid,abs --align center --edge nan
-w 12000 -t cf64 -B -T f64 --emit max --align causal
-w 45000 -t f64 -T f64 --align center --chunk 5000 --nan omit
-w 300 -t u32 -T f64 --counts --hop 16
-w 300 -t f64 -T f32"""

# How many bytes (one more ends inside a frame), options of the envelope alone, and those of the statistics.
STATISTICS = """\
400000 |  | -q
400000 |  | --stats-every 1024 --chunk 30000
400000 |  | --stats-every 5 --frames 1000
400000 |  | --skip 1001 --frames 50000 --stats-every 9000
400000 |  | -t u8 -c 3
400000 |  | -t cs16 -B -c 6 --stats-every 4096
400000 |  | -t f64 --nan omit -c 2
400000 | -T f64 | -t f64 --stats-every 4096
400000 | -T f64 | -t s32 -c 3
400000 |  | --nan error --stats-every 2000
400001 |  | --stats-every 10000
0 |  | -q
400000 |  | --stats-every 7777 --chunk 20011 --stats-format tsv
400000 |  | -t s16 -c 2 --stats-every 4097 --hop 10 --align center"""

# The exit status, what the emulator is told, what is printed, and the options.
ENDS = r"""
0 |  | cuda:0 engine \(emulated device, herk/4096, 3 slots\) | -w 512 -v --device cuda
0 |  | cuda:0 engine \(emulated device, herk/2048, 3 slots\) | -w 512 -v -t f64 -T f64 --device cuda
1 |  | only the cores work on integers of 64 bits | -w 512 -t s64 -T s64 --device cuda
0 |  | cuda:0 engine \(emulated device, herk/4096, 3 slots\) | -w 512 -v --device cuda --stats stats
0 |  | cuda:0 engine \(emulated device, means by the cores, 3 slots\) | --zoom 512 --emit mean,max -v --device cuda
0 |  | none engine | --emit none -v --device cuda --stats stats
0 |  | none engine | --emit none -v --stats stats
0 |  | cuda engine | -w 512 -v --device cuda:0
0 |  | cpu engine | -w 512 -v --device auto
3 |  | cuda:7: no such device | -w 512 --device cuda:7
3 | DEVICES=0 | no CUDA device on this machine | -w 512 --device cuda
3 | DEVICES=-1 | no CUDA driver | -w 512 --device cuda
0 | DEVICES=2 | cuda:1 engine \( | -w 512 -v --device cuda:1
3 | DEVICES=2 | cuda:2: no such device: this machine has 2 | -w 512 --device cuda:2
3 | DEVICES=2 | cuda:2: no such device: this machine has 2 | -w 512 --device cuda:0,2
3 | DEVICES=2 WITHOUT_IMAGE=1 | cuda:1: emulated device, of compute capability 9.0, cannot run the kernels | -w 512 --device cuda:1
3 | DEVICES=2 WITHOUT_IMAGE=1 | cuda:1: emulated device, .* cannot run | -w 512 --device cuda:1,0
3 | CAPABILITY=7.0 | cuda:0: emulated device, of compute capability 7.0, cannot run the kernels | -w 512 --device cuda:0
0 | CAPABILITY=7.5 | wide/1536 | -w 2000 -v --device cuda:0
0 |  | wide/2048 | -w 3000 -v --device cuda:0
0 |  | far/4096 | -w 5000 -v --device cuda:0
2 |  | a window of 9000000000 frames | -w 9000000000 --device cuda
2 | FAIL=kernel:3 | cuda device 0: .*unspecified launch failure | -w 512 --chunk 1000 --device cuda
0 | FAIL=cudaHostAlloc:1 | not pinned | -w 512 -v --device cuda
"""


def gpuenv(*words, emulator="", **how):
    """A run whose emulator is told "NAME=VALUE ..."."""
    told = {f"GPUENV_EMU_{name}": value for name, value in (word.split("=") for word in emulator.split())}
    return run(PROGRAM, *words, env={**os.environ, **told}, **how)


def slowly(words, data, first):
    """A run on a pipe in which the rest comes late, with maximally delayed streams."""
    def pieces():
        yield data[:first]
        time.sleep(0.05)
        yield data[first:]

    source, end = os.pipe()
    feed(end, pieces())
    with open(source, "rb") as stdin:
        return gpuenv(*words, emulator="ORDER=1", stdin=stdin)


def check_frames(options):
    words = options.split()
    for data in NOISE, NOISE[:300_000]:
        due = gpuenv(*words, "--algorithm", "lemire", "-q", data=data)
        pathlib.Path("noise.f32").write_bytes(data)
        got = gpuenv(*words, "--device", DEVICE, "noise.f32")
        late = slowly([*words, "--device", DEVICE, "-q"], data, 1001)
        check(due.status == got.status == late.status == 0 and due.out == got.out == late.out, got, late)


def check_statistics(size, envelope, options):
    """The text and the exit status, with an envelope and without, from a file and from a slow pipe."""
    data = (NOISE + b"x")[:int(size)]
    pathlib.Path("in.f32").write_bytes(data)
    alone = ["--emit", "none", "--stats", "-", "-q", *options.split()]
    due = gpuenv(*alone, "--device", "cpu", "in.f32")
    got = gpuenv(*alone, "--device", DEVICE, "in.f32")
    check((got.out, got.status) == (due.out, due.status), got)
    with open("beside", "wb") as beside:
        told = gpuenv("-w", 300, *envelope.split(), "--stats", f"/dev/fd/{beside.fileno()}", "--device", DEVICE, "-q",
                      *options.split(), "in.f32", pass_fds=[beside.fileno()])  # fmt: skip
    check(pathlib.Path("beside").read_bytes() == due.out, "beside an envelope:", told)
    got = slowly([*alone, "--device", DEVICE], data, 20001)
    # The last column of tsv is the name of the input.
    check(got.out.replace(b"\t-\n", b"\tin.f32\n") == due.out, "out of a pipe:", got)


def check_ends(emulator, status, words, options):
    done = gpuenv(*options.split(), "noise.f32", emulator=emulator)
    check(done.status == status and re.search(words, done.said), emulator, words, done)
    check("did the rest" not in done.said, "the cores have helped:", emulator, done)
    return done


def check_chosen(due, emulator, words, engine, *more):
    """`auto` takes the emulated device wherever it can; what fails is left to the cores."""
    pathlib.Path("got").unlink(missing_ok=True)
    done = gpuenv("-w", 512, "--chunk", 100000, "--threads", 2, "--isa", "scalar", "--device", "auto", "--report", "report", "-v",
                  *more, "-o", "got", "long.f32", emulator=emulator)  # fmt: skip
    check(done.status == 0 and words in done.said and pathlib.Path("got").read_bytes() == due, emulator, words, done)
    check(("did the rest" in done.said) == bool(emulator), emulator, done)
    check(engine in pathlib.Path("report").read_text(), engine, done)


def check_auto(due):
    check_chosen(due, "", "auto: a device is expected to be faster", '"engine": "cuda:0", "words"')
    check_chosen(due, "DEVICES=0", "no CUDA device on this machine: the CPU did the rest", '"failed": ')
    for call in 1, 2, 3, 5:
        check_chosen(due, f"FAIL=launch:{call}", "the CPU did the rest", '"failed": ')
    check_chosen(due, "", "auto: the cores: the cores compute statistics", '"engines": [{"engine": "cpu", ', "--stats", "stats")
    done = gpuenv("-w", 512, "--isa", "scalar", "-v", "--report", "report", data=LONG)
    check(done.out == due and "cuda:" not in done.said + pathlib.Path("report").read_text(), "out of a pipe the CPU works:", done)


def check_several(due):
    """One input is done by the first of several devices, and those of a batch take turns; here only the first works."""
    pathlib.Path("second.f32").write_bytes(LONG)
    first_works = "DEVICES=2 WITHOUT_IMAGE=1"
    for device in "cuda:all", "cuda:0,1":
        done = gpuenv("-w", 512, "--device", device, "long.f32", emulator=first_works)
        check(done.out == due, done)
        done = gpuenv("-w", 512, "--device", device, "--out-dir", device, "long.f32", "second.f32", emulator=first_works)
        check(done.status == 2 and re.search("second.f32: --device cuda:1: .* cannot run", done.said), done)
        check(os.listdir(device) == ["long.f32"] and pathlib.Path(device, "long.f32").read_bytes() == due, device)
    done = gpuenv("-w", 512, "-v", "--device", "cuda:1,0", "--out-dir", "out", "long.f32", "second.f32", emulator="DEVICES=2")
    for name, number in ("long.f32", 1), ("second.f32", 0):
        check(pathlib.Path("out", name).read_bytes() == due, name, done)
        check(re.search(rf"^gpuenv[^ ]*: .*{name}: .* cuda:{number} engine$", done.said, re.M), name, done)
    done = gpuenv("-w", 512, "--device", "cuda:1,0", data=LONG, emulator="DEVICES=2")
    check(done.out == due, done)
    done = gpuenv("-w", 512, "--device", "cuda:all", "-o", "half", "long.f32", emulator="DEVICES=2 FAIL=kernel:1")
    check(done.status == 2 and "unspecified launch failure" in done.said and not os.path.exists("half"), done)


def check_visible():
    """CUDA sees only what the run uses; devices keep the numbers that the user knows. The second has no code."""
    works, lacks = (0, r"cuda:{} engine \("), (3, "cuda:{}: emulated device, .* cannot run")
    one, none = (3, "cuda:{}: no such device: this machine has 1"), (3, "no CUDA device on this machine")
    for entries, *due in [
        ("1,0", lacks, works), ("0,1", works, lacks), ("1", lacks, one), ("0", works, one),
        ("-1", none, none), ("", none, none), ("7", none, none), ("0,7,1", works, none),
    ]:  # fmt: skip
        os.environ["CUDA_VISIBLE_DEVICES"] = entries
        for number, (status, words) in enumerate(due):
            check_ends("DEVICES=2 WITHOUT_IMAGE=1", status, words.format(number), f"-w 512 -v --device cuda:{number}")
    del os.environ["CUDA_VISIBLE_DEVICES"]


def check_statistics_before_a_fault():
    """They have the blocks before it, and part of the next one. Three chunks may be in flight, so the first five are
    complete."""
    options = "-w 100 -o /dev/null --stats /dev/stdout --stats-every 3000 --chunk 10000 --device cuda"
    part = check_ends("FAIL=kernel:9", 2, "cuda device 0: .*unspecified launch failure", options).out.splitlines()[:-1]
    whole = check_ends("", 0, "", options).out.splitlines()
    check(part and part == whole[:len(part)], "statistics before a fault", len(part), len(whole))


def main():
    for options in FRAMES.splitlines():
        check_frames(options)
    for row in STATISTICS.splitlines():
        check_statistics(*row.split(" | "))
    pathlib.Path("noise.f32").write_bytes(NOISE)
    if REAL:
        check_ends("", 0, r"cuda:[0-9]* engine \(", f"-w 512 -v --device {DEVICE}")
        check_ends("", 3, "cuda:777: no such device", "-w 512 --device cuda:777")
        finish()
    pathlib.Path("long.f32").write_bytes(LONG)
    due = gpuenv("-w", 512, "--device", "cpu", "-q", "long.f32").out
    check_auto(due)
    check_several(due)
    for row in ENDS.strip().splitlines():
        status, emulator, words, options = row.split(" | ")
        done = check_ends(emulator, int(status), words, options)
        check(status != "3" or not done.out, "output before the device was tried", done)
    check_visible()
    check_statistics_before_a_fault()
    check(check_ends("FAIL=cudaHostAlloc:1", 0, "not pinned", "-w 512 -v --device cuda").out ==
          check_ends("", 0, "", "-w 512 --device cuda").out, "pageable")  # fmt: skip
    finish()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
