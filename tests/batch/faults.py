#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Bad files among good ones, delayed inputs, and missing resources: faults.py PROGRAM [TEST...]"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, GOLDEN, SANITIZED, floats
from scene import Skipped, as_of_batch, noise_wav, play

WINDOW = ("-w", "7")
OUT = (*WINDOW, "--out-dir", "out")
FAILED = re.compile(r"gpuenv: (\d+) of (\d+) files failed(?:, (\d+) not begun)?")


def said_alone(scene, sources, *words):
    """The messages of single runs on these inputs, and which of them fail."""
    lines, failed = [], []
    for name in sources:
        run, _ = scene.single(name, "x.f32", *words)
        lines += [as_of_batch(line) for line in run.lines]
        if run.status != 0:
            failed.append(name)
    return lines, failed


def bad_among_good(scene):
    """Each bad file gets the message of a single run and has no output; the others are done."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    scene.write("cut.wav", noise_wav(3000, 1)[:2001])
    scene.write("head.wav", noise_wav(3000, 1)[:20])
    scene.write("text.xyz", b"This is plainly no samples.\n" * 9)
    scene.write("page.wav", b"%PDF-1.7\n" + bytes(2000))
    scene.write("table.csv", b"1,2\n3,four\n")
    scene.write("empty.wav", b"")
    scene.write("short.wav", noise_wav(3, 1))
    scene.write("out/cut.f32", b"older")
    os.mkdir(scene.path("folder.wav"))
    os.symlink("nowhere", scene.path("dangling.wav"))
    os.symlink("circle.wav", scene.path("circle.wav"))
    sources = ["gone.wav", "a.wav", "cut.wav", "head.wav", "text.xyz", "b.wav", "page.wav",
               "table.csv", "empty.wav", "short.wav", "folder.wav", "dangling.wav", "c.wav",
               "circle.wav"]
    lines, failed = said_alone(scene, sources, *WINDOW)
    good = {f"{name[:-4]}.f32": name for name in sources if name not in failed}
    scene.check(len(good) == 4, "the short file is no failure, the empty one is", failed)
    for words in ((), ("--jobs", "1"), ("--jobs", "8"), ("--threads", "1")):
        run = scene.ends(2, *OUT, *words, *sources)
        scene.check(sorted(run.lines[:-1]) == sorted(lines), "the lines of single runs are:", lines)
        scene.summary(f"{len(failed)} of {len(sources)} files failed")
        scene.check(scene.read("out/cut.f32") == b"older", "of a failed file the older output stays")
        os.unlink(scene.path("out/cut.f32"))
        scene.check_outputs(good, *WINDOW)
        scene.write("out/cut.f32", b"older")


def damaged_files(scene):
    """All golden files, good and bad, text and raw samples; and a type that needs a rate."""
    sources = ["raw.f32", "raw16.s16", "log.csv", "log2.tsv"]
    for name, content in zip(sources, (floats(500, 1), floats(500, 2), b"1,2.5\n" * 300, b"1\t2\n3\t4\n" * 50)):
        scene.write(name, content)
    # Slow builds have containers/golden.py, which goes through all of them.
    for number, golden in enumerate(sorted(GOLDEN.glob("*-*"))[::3 if FEW else 1]):
        sources.append(f"{number}{golden.suffix}")
        shutil.copy(golden, scene.path(sources[-1]))
    for words in (("-w", "2"), ("-w", "2", "-T", "wav")):
        outputs, lines, failed = {}, [], 0
        for name in sources:
            run, made = scene.single(name, f"{name.split('.')[0]}.x", *words)
            lines += [as_of_batch(line) for line in run.lines]
            failed += run.status != 0
            if made is not None:
                stem, _, ending = name.partition(".")
                usual = ending if ending in ("csv", "tsv") else "f32"
                outputs[f"{stem}.{'wav' if '-T' in words else usual}"] = made
        shutil.rmtree(scene.path("out"), ignore_errors=True)
        run = scene.ends(2, *words, "--threads", "40", "--out-dir", "out", *sources)
        scene.summary(f"{failed} of {len(sources)} files failed")
        found = scene.tree()
        scene.check(found.keys() == outputs.keys(), "outputs", set(found) ^ set(outputs))
        for name in found.keys() & outputs.keys():
            scene.check(found[name] == outputs[name], f"{name} is not what a single run gives")
        # A single run has another output name in its messages.
        told = [line for line in run.lines[:-1] if scene.alone not in line]
        due = [line for line in lines if scene.alone not in line]
        missing = set(due) - set(told)
        scene.check(not missing, "single runs say", missing)


def reasons_of_a_library(scene):
    """Many files that libsndfile cannot read, in parallel: each gets its own message."""
    heads = {"pvf": b"PVF1\nxyz\n" + b"0" * 200,
             "nist": b"NIST_1A\n   1024\n" + bytes(1100)}
    many = 30 if FEW else 200
    due = []
    for ending, head in heads.items():
        scene.write(f"0.{ending}", head)
        run, _ = scene.single(f"0.{ending}", "x.f32", *WINDOW)
        scene.check("that libsndfile cannot read" in run.lines[0], "what a single run says", run)
        for number in range(many):
            scene.write(f"{number}.{ending}", head)
            due.append(run.lines[0].replace(f" 0.{ending}", f" {number}.{ending}"))
    run = scene.ends(2, *OUT, "--jobs", "8", "--threads", "8",
                     *(f"{number}.{ending}" for number in range(many) for ending in heads))
    scene.check(sorted(run.lines[:-1]) == sorted(due), "not the reasons of single runs")


def nan_fails_alone(scene):
    scene.wavs("a.wav", "b.wav")
    scene.write("nan.f32", floats(100, 1) + b"\0\0\xc0\x7f" + floats(100, 2))
    run = scene.ends(2, *OUT, "--nan", "error", "a.wav", "nan.f32", "b.wav")
    scene.check(run.lines[:1] == scene.single("nan.f32", "x", *WINDOW, "--nan", "error")[0].lines,
                "the line of a single run")
    scene.summary("1 of 3 files failed")
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, *WINDOW, "--nan", "error")


def all_fail(scene):
    run = scene.ends(2, *OUT, "gone.wav", "lost.wav")
    scene.check(sorted(run.lines[:-1]) == ["gpuenv: gone.wav: No such file or directory",
                                           "gpuenv: lost.wav: No such file or directory"], "lines")
    scene.summary("2 of 2 files failed")
    scene.ends(2, *OUT, "gone.wav")


def fail_fast(scene):
    """After the first failure no file is started; those in progress are finished."""
    names = [f"{number}.wav" for number in range(100)]
    scene.wavs(*names)
    for number in range(5, 100, 5):
        os.unlink(scene.path(f"{number}.wav"))
    for jobs in (1, 8):
        run = scene.ends(2, *OUT, "--fail-fast", "--jobs", str(jobs), "--report", "report", *names)
        said = FAILED.fullmatch(run.lines[-1])
        if not scene.check(said and said[3], "the last line"):
            continue
        failed, files, not_begun = (int(number) for number in said.groups())
        done = len(scene.tree())
        scene.check(files == 100 and failed + not_begun + done == 100, f"{done} are done")
        scene.check(1 <= failed <= jobs and not_begun > 0, "no more is begun")
        scene.check(len(run.lines) == failed + 1, "a line each")
        told = [json.loads(line).get("input") for line in scene.read("report").splitlines()][:-1]
        scene.check(len(told) == done + failed and told == sorted(told, key=names.index),
                    f"{len(told)} are in the report")
        scene.check_outputs({name: f"{name[:-4]}.wav" for name in scene.tree()}, *WINDOW)
        shutil.rmtree(scene.path("out"))
    scene.ends(0, *OUT, "--fail-fast", "1.wav", "2.wav")


def fail_fast_in_a_pipe(scene):
    """Names still in the list are counted, with a note that there may be more."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    listed = b"gone.wav\na.wav\nb.wav\nc.wav\n"
    words = (*OUT, "--fail-fast", "--jobs", "1", "--files-from", "-", "--report", "report")
    scene.write("list", listed)
    # Files of equal size, like missing ones, are taken in the order of the list.
    for name in ("a.wav", "b.wav", "c.wav"):
        scene.write(name, b"")
    process = scene.start(*words, stdin=subprocess.PIPE)
    process.stdin.write(listed)
    process.stdin.flush()
    errors = process.stderr.read().decode().splitlines()
    process.stdin.close()
    process.stderr.close()
    process.stdout.close()
    scene.check(process.wait(60) == 2 and errors[-1] == "gpuenv: 1 of 4 files failed, 3 not begun, "
                "and the list was not read to its end", errors)
    last = json.loads(scene.read("report").splitlines()[-1])
    scene.check((last["files"], last["failed"], last["not_begun"]) == (4, 1, 3), last)


def a_fifo_waits_alone(scene):
    """While one input has no data, the others are done."""
    names = [f"{number}.wav" for number in range(20)]
    scene.wavs(*names)
    os.mkfifo(scene.path("fifo.wav"))
    process = scene.start(*OUT, "--jobs", "2", "fifo.wav", *names)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (scene.there("out") and len(scene.tree()) == 20):
        time.sleep(0.02)
    scene.check(scene.there("out") and len(scene.tree()) == 20, "the others wait for a FIFO")
    scene.check(process.poll() is None, "the FIFO was not waited for")
    for name in ("fifo.copy.wav", "fifo.wav"):
        scene.write(name, noise_wav(9000, 7))
    _, errors = process.communicate()
    scene.check(process.returncode == 0 and not errors, process.returncode, errors)
    due = {f"{name[:-4]}.f32": name for name in names}
    scene.check_outputs({**due, "fifo.f32": "fifo.copy.wav"}, *WINDOW)


def standard_input_that_is_closed(scene):
    scene.wavs("a.wav", "b.wav")
    scene.done(*OUT, "a.wav", "b.wav", preexec_fn=lambda: os.close(0))
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, *WINDOW)


def all_that_fails_is_shared(scene):
    """No file has failed, so none is counted."""
    scene.wavs("a.wav")
    scene.write("list", b"a.wav\n")
    for words in (["--emit", "none", "--stats", "/dev/full"], [*OUT, "--stats", "/dev/full"]):
        run = scene.ends(2, *words, "--files-from", "list")
        scene.check(run.lines == ["gpuenv: /dev/full: No space left on device"], "one line")
    run = scene.ends(2, *OUT, "--files-from", "-", preexec_fn=lambda: os.close(0))
    scene.check(run.lines == ["gpuenv: standard input: Bad file descriptor"], "a list that is closed")


def limit(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


def window_too_large(scene):
    """An error of one input only names it, also if its name begins like an option."""
    scene.wavs("a.wav", "b.wav")
    scene.write("wide.wav", noise_wav(10, 1, channels=30000))
    run = scene.ends(2, "-w", "20M", "--align", "center", "--out-dir", "out", "--", "a.wav",
                     "wide.wav", "b.wav", "-gone.wav")
    said = sorted(run.lines)
    scene.check(said[0] == "gpuenv: -gone.wav: No such file or directory", "-gone.wav")
    due = r"gpuenv: wide\.wav: -w 20M: needs \S+ .iB of memory \(\d+ bytes\), but only \S+ .iB is available"
    scene.check(re.fullmatch(due, said[-1]), "wide.wav")
    scene.summary("2 of 4 files failed")
    scene.check(set(scene.tree()) == {"a.f32", "b.f32"}, "the others")


def little_memory(scene):
    """Too little memory for some or all of the files: each of these is named."""
    if SANITIZED:
        return  # it would need terabytes
    names = [f"{number}.wav" for number in range(6)]
    scene.wavs(*names)
    scene.write("long.f32", floats(1 << 19, 1))
    named = 0
    for kibibytes in range(8000, 24000, 1000 if FEW else 200):
        run = scene.run("--zoom", "7", "--jobs", "9", "--threads", "4", "--out-dir", "out", *names,
                        "long.f32", preexec_fn=limit(resource.RLIMIT_AS, kibibytes << 10))
        if not run.lines or not run.lines[-1].endswith("failed"):
            continue  # the loader has failed, or the whole program
        for line in run.lines[:-1]:
            scene.check(re.match(r"gpuenv: (\d\.wav|long\.f32|out/[^ ]*): ", line), kibibytes, line)
            named += 1
    scene.check(named > 0, "nothing has failed")


def few_open_files(scene):
    """400 files, some long enough for pieces, with 64 descriptors; also with more jobs than that."""
    content = [noise_wav(200 + number, number) for number in range(20)]
    names = []
    for number in range(397):
        names.append(f"in/{number}.wav")
        scene.write(names[-1], content[number % 20])
    for number in range(3):
        names.append(f"in/long{number}.f32")
        scene.write(names[-1], floats(1 << 17, number) * 8)
    scene.write("list", "\n".join(names).encode())
    due = {number: scene.single(f"in/{number}.wav", "x.f32", "--zoom", "7")[1] for number in range(20)}
    for words in (["--recursive", "in"], ["--jobs", "500", "--threads", "9", "--files-from", "list"]):
        scene.done("--zoom", "7", "--out-dir", "out", "--stats", "stats", *words,
                   preexec_fn=limit(resource.RLIMIT_NOFILE, 64))
        found = scene.tree()
        scene.check(len(found) == 400, f"{len(found)} outputs")
        wrong = [name for name, made in found.items()
                 if name[0] != "l" and made != due[int(name[:-4]) % 20]]
        scene.check(not wrong, "not what single runs give:", wrong[:5])
        for number in range(3):
            alone = scene.single(f"in/long{number}.f32", "x.f32", "--zoom", "7")[1]
            scene.check(found[f"long{number}.f32"] == alone, f"long{number}.f32")
        scene.check(scene.read("stats").count(b"\n") == 400, "records")
        shutil.rmtree(scene.path("out"))


def room_for_descriptors(scene):
    """The table of open files has its size before there are threads: all of them would wait while it grows."""
    os.mkfifo(scene.path("first.u8"))
    with scene.start("-t", "u8", *OUT, "--jobs", "40", "--threads", "40", "first.u8", "second.u8") as process:
        with open(scene.path("first.u8"), "wb") as fifo:
            with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
                size = [int(line.split()[1]) for line in status if line.startswith("FDSize:")]
            fifo.write(b"12345678")
        process.communicate()
    scene.check(size[0] >= 8 * 40, f"room for {size} descriptors")


def the_same_bytes(scene):
    """Jobs, threads, chunks and the sequential algorithm."""
    names = [f"{number}.f32" for number in range(6)]
    for number, name in enumerate(names):
        scene.write(name, floats(1 << 16, number) * (8 if number in (1, 4) else 1))
    first = None
    for words in ((), ("--jobs", "1"), ("--jobs", "8"), ("--threads", "1"), ("--threads", "7"),
                  ("--jobs", "3", "--threads", "2"), ("--chunk", "1000"), ("--algorithm", "lemire")):
        scene.done("-w", "1000", "--hop", "3", "--out-dir", "out", *words, *names)
        if first is None:
            first = scene.tree()
            scene.check_outputs({name: name for name in names}, "-w", "1000", "--hop", "3")
        scene.check(scene.tree() == first, "other bytes")


def file_too_large(scene):
    """A limit on the size of files only affects the long one."""
    scene.wavs("a.wav", "b.wav")
    scene.write("long.f32", floats(1 << 16, 1) * 4)
    run = scene.ends(2, *OUT, "a.wav", "long.f32", "b.wav",
                     preexec_fn=limit(resource.RLIMIT_FSIZE, 1_000_000))
    scene.check(run.lines[0] == "gpuenv: out/long.f32: File too large", "why")
    scene.summary("1 of 3 files failed")
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, *WINDOW)


def disk_full(scene):
    """A message for each file that has failed, not for those that were not begun; existing outputs are complete."""
    names = [f"{number}.f32" for number in range(300)]
    for number, name in enumerate(names):
        scene.write(name, floats(6000 + number, number))
    os.mkdir(scene.path("small"))
    how = ["mount", "-t", "tmpfs", "-o", "size=4m", "gpuenv-test", scene.path("small")]
    if subprocess.run(how, capture_output=True).returncode != 0:
        raise Skipped("nothing can be mounted here")
    try:
        for words in ((), ("--jobs", "8"), ("--threads", "1")):
            run = scene.ends(2, *WINDOW, *words, "--out-dir", "small/out", *names)
            full = [line for line in run.lines if line.endswith(": No space left on device")]
            scene.check(len({*full}) == len(full) == len(run.lines) - 1, "a message a file")
            found = scene.tree("small/out")
            scene.check(0 < len(found) < 100, f"{len(found)} are done")
            for name, made in found.items():
                due = scene.single(name, name, *WINDOW)[1] if not name.startswith(".") else None
                scene.check(made == due, f"{name} is not whole")
            said = FAILED.fullmatch(run.lines[-1])
            if scene.check(said and said[3], "how many are not begun"):
                counts = [int(number) for number in said.groups()]
                scene.check(counts[0] + counts[2] + len(found) == counts[1] == 300, "the counts")
                scene.check(counts[0] == len(full), "each is named")
            shutil.rmtree(scene.path("small/out"))
    finally:
        subprocess.run(["umount", scene.path("small")], check=True)


def without_rights(scene):
    """Unreadable files, and an output folder without write permission."""
    scene.wavs("a.wav", "b.wav", "secret.wav")
    os.chmod(scene.path("secret.wav"), 0)
    os.mkdir(scene.path("out"))
    os.mkdir(scene.path("closed"))
    how = []
    if os.getuid() == 0:
        if shutil.which("setpriv") is None:
            raise Skipped("no setpriv")
        how = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for folder in (os.path.dirname(scene.folder), scene.folder):
            os.chmod(folder, 0o755)
        os.chmod(scene.path("out"), 0o777)
    os.chmod(scene.path("closed"), 0o555)
    if subprocess.run([*how, scene.program, "--version"], capture_output=True).returncode != 0:
        raise Skipped("the program cannot be run by another user")
    program = scene.program
    scene.program = "/usr/bin/env"
    run = scene.ends(2, *how, program, *OUT, "a.wav", "secret.wav", "b.wav")
    scene.check(run.lines[0] == "gpuenv: secret.wav: Permission denied", "why")
    scene.summary("1 of 3 files failed")
    scene.check(set(scene.tree()) == {"a.f32", "b.f32"}, "the others are done")
    run = scene.ends(2, *how, program, *WINDOW, "--out-dir", "closed", "a.wav", "b.wav")
    scene.check(all("ermission denied" in line for line in run.lines[:-1]), "why")
    run = scene.ends(2, *how, program, *WINDOW, "--out-dir", "closed/new", "a.wav", "b.wav")
    scene.check("ermission denied" in run.lines[0], "why")
    os.mkdir(scene.path("in"), 0)
    run = scene.ends(2, *how, program, *OUT, "--recursive", "in", "a.wav")
    scene.check(any(line.startswith("gpuenv: in: Permission denied") for line in run.lines), "why")


def the_reader_leaves(scene):
    """Records into a pipe whose reader is gone: a silent end."""
    names = [f"{number}.s16" for number in range(300)]
    for number, name in enumerate(names):
        scene.write(name, floats(400, number))
    process = scene.start("--emit", "none", "--stats", "-", "--stats-every", "1", *names)
    process.stdout.read(1000)
    process.stdout.close()
    errors = process.stderr.read()
    scene.check(process.wait(60) in (-13, 2) and not errors, process.returncode, errors[:300])
    process.stderr.close()


play()
