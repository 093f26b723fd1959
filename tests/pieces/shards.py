#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Parts of the output that are computed independently: shards.py PROGRAM

differential.py has those of random command lines."""

import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish, run


def gpuenv_in(folder, *words, **how):
    return run(PROGRAM, *words, cwd=folder, **how)


def containers(folder):
    """Each part is a whole file: a reader of the container takes it."""
    (folder / "in.s16").write_bytes(bytes(range(256)) * 40)
    whole = gpuenv_in(folder, "-w", 9, "in.s16").out
    for kind in ("wav", "au", "aiff", "caf", "npy", "w64"):
        joined = b""
        for number in range(1, 4):
            made = f"part.{kind}"
            gpuenv_in(folder, "-w", 9, "-r", "8k", "-T", kind, "--shard", f"{number}/3", "in.s16", "-o", made)
            again = gpuenv_in(folder, "-w", 1, "--emit", "max", made)
            check(again.status == 0, "no whole file: part", number, again)
            joined += again.out
        check(joined == whole, kind, "the frames of the parts are not those of the whole")


def reports(folder):
    """The parts agree on the whole, and are adjacent. There may be more parts than frames."""
    (folder / "in.f32").write_bytes(bytes(4 * 10))
    status = os.stat(folder / "in.f32")
    words = ["-w", 3, "--skip", 1, "--stats", "stats", "--stats-every", 2, "--stats-format", "tsv", "in.f32"]
    wholes = []
    for extra in ([], ["--algorithm", "lemire"]):
        next_output, next_block, records, joined = 0, 0, b"", b""
        for number in range(1, 17):
            done = gpuenv_in(folder, *words, *extra, "--shard", f"{number}/16", "--report", "report")
            check(done.status == 0 and not done.said, done)
            joined += done.out
            records += (folder / "stats").read_bytes()
            report = json.loads((folder / "report").read_text())
            check((report["shard"], report["shards"], report["input_size"]) == (number, 16, 40), number, report)
            seconds, fraction = report["input_mtime"].split(".")
            check(int(seconds) * 10**9 + int(fraction) == status.st_mtime_ns, "due is", status.st_mtime_ns, report)
            check((report["first_output"], report["first_block"]) == (next_output, next_block), "does not adjoin", report)
            next_output, next_block = report["next_output"], report["next_block"]
            check(len(done.out) == 8 * (next_output - report["first_output"]), len(done.out), "bytes", report)
            wholes.append((report["input_frames"], report["outputs"]))
        (folder / "stats").unlink()  # those of a part are not those of a whole
        check(gpuenv_in(folder, *words, *extra, "-o", "whole").status == 0, "the whole")
        check(joined == (folder / "whole").read_bytes() and next_output == 7 and next_block == 5,
              len(joined), "bytes of", next_output, "frames and", next_block, "blocks")
        check(records == (folder / "stats").read_bytes(), "statistics:", records)
    check(set(wholes) == {(9, 7)}, "the parts are of", set(wholes))


def uncuttable(folder):
    """An input whose length is known only at its end is rejected."""
    if shutil.which("sox") is None:
        return
    run("sox", "-n", "-r", 8000, "-c", 1, folder / "in.ogg", "synth", 1, "sine", 300)
    done = gpuenv_in(folder, "-w", 5, "--shard", "1/2", "in.ogg")
    check(done.status == 2 and not done.out and "known only at its end: convert it" in done.said, done)


def nothing(folder):
    """A file without frames has parts without frames."""
    (folder / "in.f32").write_bytes(b"")
    words = ["-w", 3, "--align", "causal", "--stats", "stats", "--stats-every", 9, "in.f32"]
    check(gpuenv_in(folder, *words).status == 0, "the whole")
    due, records = (folder / "stats").read_bytes(), b""
    for number in (1, 2, 3):
        done = gpuenv_in(folder, *words, "--shard", f"{number}/3")
        check(done.status == 0 and not done.out and not done.said, done)
        records += (folder / "stats").read_bytes()
    check(records == due, "statistics of nothing:", records, "are not", due)


for test in containers, reports, uncuttable, nothing:
    with tempfile.TemporaryDirectory(prefix="shards-") as name:
        test(pathlib.Path(name))
finish()
