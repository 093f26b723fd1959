#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reports of a batch: statistics, the report, progress: records.py PROGRAM [TEST...]"""

import contextlib
import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import floats
from scene import noise_wav, play

WINDOW = ("-w", "7")
OUT = (*WINDOW, "--out-dir", "out")
ALONE = ("--emit", "none", "--stats", "-")
SUMMARY = ["version", "status", "files", "done", "failed", "passed_over", "not_begun", "in_bytes",
           "out_bytes", "seconds"]


def shown(name):
    """The name as it is in a record: invalid UTF-8 becomes U+FFFD."""
    return re.sub("[\udc80-\udcff]", "\ufffd", name)


def records(scene, source, *words):
    """The records of a single run of that input, as lines."""
    before = scene.last
    run = scene.run(*ALONE, *words, "--", source)
    scene.last = before
    return os.fsdecode(run.out).splitlines(True)


def due_jsonl(scene, sources, *words):
    due = []
    for name in sources:
        for line in records(scene, name, *words):
            due.append(f'{line[:-2]},"file":{json.dumps(name)}}}\n')
    return "".join(due)


def uneven(scene, count=12):
    """Files of very different lengths, the long ones in the middle."""
    names = [f"{number:02}.s16" for number in range(count)]
    for number, name in enumerate(names):
        scene.write(name, floats(60_000 if number in (3, 7) else 50 + 7 * number, number))
    return names


def in_the_order_given(scene):
    """The order does not depend on the number of jobs and threads, or on which file is done first."""
    names = uneven(scene)
    names.reverse()
    for words in ((), ("--stats-every", "1000")):
        due = due_jsonl(scene, names, "-c", "2", *words)
        for jobs in ((), ("--jobs", "1"), ("--jobs", "2"), ("--jobs", "8"), ("--threads", "1"),
                     ("--threads", "5"), ("--jobs", "3", "--threads", "2")):
            run = scene.done(*ALONE, "-c", "2", *words, *jobs, *names)
            scene.check(run.out.decode() == due, "the records")
    due = due_jsonl(scene, names, "-c", "2")
    scene.done(*OUT, "-c", "2", "--stats", "stats", *names)
    scene.check(scene.read("stats").decode() == due, "the records beside frames")
    run = scene.done(*ALONE, "-c", "2", "--files-from", "-", feed="\n".join(names).encode())
    scene.check(run.out.decode() == due, "the records of a list")
    scene.done(*OUT, "-c", "2", "--stats", "stats", "--skip-existing", "-q", *names)
    scene.check(scene.read("stats").decode() == due, "the records of inputs passed over")


def a_batch_of_one(scene):
    """Records have `file` in a batch, even of one file; otherwise they do not."""
    scene.wavs("in/a.wav")
    due = due_jsonl(scene, ["in/a.wav"])
    run = scene.done(*ALONE, "in/a.wav")
    scene.check(b'"file"' not in run.out, "a single run says the file")
    run = scene.done(*ALONE, "--recursive", "in")
    scene.check(run.out.decode() == due, "--recursive")
    scene.done(*OUT, "--stats", "stats", "in/a.wav")
    scene.check(scene.read("stats").decode() == due, "--out-dir")
    scene.write("list", b"in/a.wav\n")
    run = scene.done(*ALONE, "--files-from", "list")
    scene.check(run.out.decode() == due, "--files-from")


def order_of_a_walk(scene):
    """Operands, then the list; folders by name, one after the other."""
    scene.wavs("in/b.wav", "in/a/z.wav", "in/a/b.wav", "in/c/a.wav", "in/d.wav", "one.wav", "two.wav",
               "in/a.wav", "three.wav")
    scene.write("list", b"three.wav\n")
    run = scene.done(*ALONE, "--recursive", "two.wav", "in", "one.wav", "--files-from", "list")
    found = [json.loads(line) for line in run.out.splitlines()]
    files = [record["file"] for record in found if record["column"] == "ch1"]
    scene.check(files[0] == "two.wav" and files[-2:] == ["one.wav", "three.wav"], files)
    walked = files[1:-2]
    scene.check(sorted(walked) == ["in/a.wav", "in/a/b.wav", "in/a/z.wav", "in/b.wav", "in/c/a.wav",
                                   "in/d.wav"], walked)
    for folder in ("in", "in/a"):
        here = [name for name in walked if os.path.dirname(name) == folder]
        scene.check(here == sorted(here), here)
    for _ in range(3):
        again = scene.done(*ALONE, "--recursive", "two.wav", "in", "one.wav", "--files-from", "list")
        scene.check(again.out == run.out, "the same walk, another order")


NAMES = ["quo\"te.wav", "new\nline.wav", "ta\tb.wav", "back\\slash.wav", "re\rturn.wav",
         "bad\udcff\udcc3.wav", "ünï.wav", "con\x01trol.wav"]


def names_in_records(scene):
    scene.wavs(*NAMES)
    run = scene.done(*ALONE, *NAMES)
    found = [json.loads(line) for line in run.out.decode().splitlines()]
    files = [record["file"] for record in found if record["column"] == "ch1"]
    scene.check(files == [shown(name) for name in NAMES], "the names", files)
    scene.check(all(list(record)[-1] == "file" for record in found), "the last field")


def commas(scene):
    """CSV as Python reads it, with any names; without names it is TSV with commas."""
    names = ["a.wav", "b,c.wav", 'quo"te.wav', "two\nlines.wav", "tab\t.wav", "back\\.wav"]
    scene.wavs(*names)
    scene.done(*ALONE, "--stats-format", "csv", "--stats-every", "400", *names)
    read = list(csv.reader(io.StringIO(os.fsdecode(scene.last.out), newline="")))
    scene.done(*ALONE, "--stats-format", "tsv", "--stats-every", "400", *names)
    due = [line.split("\t") for line in os.fsdecode(scene.last.out).splitlines()]
    scene.check([row[:-1] for row in read] == [row[:-1] for row in due], "the numbers")
    scene.check(list(dict.fromkeys(row[-1] for row in read[1:])) == names, "the names")


def tsv(scene):
    scene.wavs(*NAMES)
    words = ("--stats-format", "tsv", "--stats-every", "400")
    run = scene.done(*ALONE, *words, *NAMES)
    due = []
    for name in NAMES:
        lines = records(scene, name, *words)
        field = name.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
        scene.check(all(line.endswith(f"\t{field}\n") for line in lines[1:]), "the name in a run of its own")
        due += lines if not due else lines[1:]
    found = run.out.split(b"\n")
    wanted = os.fsencode("".join(due)).split(b"\n")
    scene.check(len(found) == len(wanted), "one line a record")
    for line, right in zip(found, wanted):
        if b"bad" in right or b"con\x01" in right:
            # These bytes are only tested not to break lines or columns.
            scene.check(line.split(b"\t")[:-1] == right.split(b"\t")[:-1], line)
        else:
            scene.check(line == right, line, right)


def text(scene):
    """One table per file, each with its heading."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    run = scene.done(*ALONE, "--stats-format", "text", "a.wav", "b.wav", "c.wav")
    due = "".join("".join(records(scene, name, "--stats-format", "text"))
                  for name in ("a.wav", "b.wav", "c.wav"))
    lines = [line for line in run.out.decode().splitlines() if line]
    scene.check(lines == [line for line in due.splitlines() if line], "the tables")


def records_of_what_fails(scene):
    """The records of the other inputs are all there, in order; the file of --stats is written."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    scene.write("cut.wav", noise_wav(3000, 1)[:2000])
    sources = ["gone.wav", "a.wav", "cut.wav", "b.wav", "folder", "c.wav"]
    os.mkdir(scene.path("folder"))
    whole = ["a.wav", "b.wav", "c.wav"]
    for words in ((*ALONE,), (*OUT, "--stats", "stats")):
        run = scene.ends(2, *words, *sources)
        scene.summary("3 of 6 files failed")
        found = (scene.read("stats") if "stats" in words else run.out).decode().splitlines(True)
        rest = [line for line in found if json.loads(line)["file"] != "cut.wav"]
        scene.check("".join(rest) == due_jsonl(scene, whole), "the others' records")
        cut = "".join(line for line in found if json.loads(line)["file"] == "cut.wav")
        scene.check(cut in ("", due_jsonl(scene, ["cut.wav"])), "of the one that was cut:", cut)
        if cut:
            scene.check([json.loads(line)["file"] for line in found].index("cut.wav") == 1, "order")


def some_way_to_a_descriptor(scene):
    scene.wavs("a.wav", "b.wav")
    reader, writer = os.pipe()
    scene.done(*OUT, "--stats", f"/dev/fd/{writer}", "a.wav", "b.wav", pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as file:
        scene.check(file.read() == due_jsonl(scene, ["a.wav", "b.wav"]), "--stats /dev/fd/N")


def report(scene):
    """One line of JSON per file, in the given order, then one for all."""
    names = uneven(scene, 9)
    for jobs in ("1", "8"):
        scene.done(*OUT, "--jobs", jobs, "--report", "report", *names)
        *lines, last = [json.loads(line) for line in scene.read("report").splitlines()]
        scene.check([line["input"] for line in lines] == names, "a line a file")
        for line, name in zip(lines, names):
            scene.run(*WINDOW, name, "-o", "one.f32", "--report", "single")
            due = json.loads(scene.read("single"))
            scene.check(list(line) == list(due), "the fields", list(line), list(due))
            scene.check(line["output"] == f"out/{name[:-4]}.f32", line["output"])
            for field in ("status", "error", "in_frames", "out_frames", "in_bytes", "out_bytes",
                          "width", "channels", "input_encoding", "output_encoding"):
                scene.check(line[field] == due[field], name, field, line[field], due[field])
        scene.check(list(last) == SUMMARY, "the fields of the last line", list(last))
        counts = [last[field] for field in SUMMARY[1:7]]
        scene.check(counts == [0, 9, 9, 0, 0, 0], "the counts", counts)
        for field in ("in_bytes", "out_bytes"):
            scene.check(last[field] == sum(line[field] for line in lines), field)
        scene.check(last["seconds"] > 0, "seconds")


def report_of_failures(scene):
    scene.wavs("a.wav", "b.wav")
    scene.write("cut.wav", noise_wav(3000, 1)[:2000])
    scene.write("out/b.f32", b"older")
    scene.ends(2, *OUT, "--skip-existing", "--report", "report", "a.wav", "gone.wav", "b.wav",
               "cut.wav", "new\n\"line\udcff.wav")
    *lines, last = [json.loads(line) for line in scene.read("report").splitlines()]
    counts = [last[field] for field in SUMMARY[1:7]]
    scene.check(counts == [2, 5, 1, 3, 1, 0], "status and counts", counts)
    failed = {line["input"]: line for line in lines if line["status"] != 0}
    scene.check(set(failed) == {"gone.wav", "cut.wav", "new\n\"line\ufffd.wav"}, set(failed))
    scene.check(failed["gone.wav"]["error"] == "gone.wav: No such file or directory",
                failed["gone.wav"]["error"])


def report_and_stats_are_no_inputs(scene):
    """The same for outputs: neither is overwritten."""
    scene.wavs("a.wav", "b.wav")
    before = scene.read("b.wav")
    for option in ("--report", "--stats"):
        for name in ("b.wav", "out/b.f32"):
            run = scene.run(*OUT, option, name, "a.wav", "b.wav")
            scene.check(run.status in (1, 2), option, name, "is taken")
            scene.check(scene.read("b.wav") == before, "an input was written over")
    os.symlink("b.wav", scene.path("soft.wav"))
    os.link(scene.path("b.wav"), scene.path("hard.wav"))
    for option in ("--report", "--stats"):
        for name in ("./b.wav", scene.path("b.wav"), "soft.wav", "hard.wav"):
            scene.refused([*OUT, option, name, "a.wav", "b.wav"], name, "is the input file too")
            run = scene.ends(2, *OUT, option, name, "--files-from", "-", feed=b"a.wav\nb.wav\n")
            scene.check(len(run.lines) == 1 and f"gpuenv: {name}: " in run.lines[0], "from a pipe")
            for kept in ("b.wav", "hard.wav"):
                scene.check(scene.read(kept) == before, option, name, "an input was written over")
                scene.write(kept, before)
        # Statistics may be replaced, unless they are an input.
        scene.ends(0, "--emit", "none", "--stats", "s.csv", "--stats-format", "csv", "a.wav")
        run = scene.ends(2, *OUT, option, "s.csv", "--files-from", "-", feed=b"a.wav\ns.csv\n")
        scene.check(run.lines == ["gpuenv: s.csv: is the input file too: write to another name"],
                    "from a pipe")
    names = b"a.wav\nb.wav\n"
    scene.write("names", names)
    for option in ("--report", "--stats"):
        scene.refused([*OUT, option, "./names", "--files-from", "names"], "./names",
                      "is the list of names too")
        scene.check(scene.read("names") == names, option, "the list was written over")
    run = scene.run(*OUT, "--stats", "same", "--report", "same", "a.wav", "b.wav")
    scene.check(run.status in (1, 2), "one file for both is taken")
    scene.refused([*OUT, "--stats", "same", "--report", "./same", "a.wav", "b.wav"], "--stats same",
                  "is the report too")
    scene.check(not os.path.exists(scene.path("same")), "one file for both is made")


def standard_input_among_them(scene):
    scene.wavs("a.wav", "b.wav", "c.wav")
    feed = scene.read("c.wav")
    scene.done(*OUT, "a.wav", "/dev/stdin", "b.wav", feed=feed)
    scene.check_outputs({"a.f32": "a.wav", "stdin.f32": "c.wav", "b.f32": "b.wav"}, *WINDOW)
    due = due_jsonl(scene, ["a.wav", "c.wav", "b.wav"])
    for name in ("-", "/dev/stdin"):
        run = scene.done(*ALONE, "a.wav", name, "b.wav", feed=feed)
        scene.check(run.out.decode() == due.replace("c.wav", name), name)


def progress(scene):
    """Two runs, each with a FIFO whose bytes come when the line is there."""
    scene.wavs("a.wav", "b.wav")
    runs = {}
    for words in ("--progress", "--no-progress"):
        os.mkfifo(scene.path(f"fifo{words}.wav"))
        runs[words] = scene.start(*WINDOW, "--out-dir", words[2:], words, "--jobs", "2", "a.wav", f"fifo{words}.wav",
                                  "b.wav")
    for words, process in runs.items():
        while not scene.tree(words[2:]).keys() >= {"a.f32", "b.f32"}:
            time.sleep(0.05)
        line = b""
        while b" 2 of 3 files, " not in line and process.poll() is None:
            if words == "--no-progress":
                process.send_signal(signal.SIGUSR1)
            line = process.stderr.readline()
        scene.write(f"fifo{words}.wav", noise_wav(2000, 5))
        _, said = process.communicate(timeout=60)
        scene.check(process.returncode == 0, words, f"status {process.returncode}")
        scene.check(b"B" in line and (words == "--progress" or not said), words, line, said)
        scene.check(set(scene.tree(words[2:])) == {"a.f32", "b.f32", f"fifo{words}.f32"}, words, "outputs")


def progress_beside_records(scene):
    """On the same terminal: none, unless requested."""
    scene.wavs("a.wav")
    runs = []
    for words in ([], ["--progress"]):
        ours, terminal = pty.openpty()
        process = scene.start(*ALONE, *words, "--files-from", "-", stdin=subprocess.PIPE,
                              stdout=terminal, stderr=terminal)
        os.close(terminal)
        process.stdin.write(b"a.wav\n")
        process.stdin.flush()
        runs.append((words, ours, process))
    for words, ours, process in reversed(runs):  # the other one has had as long
        said = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while True:
                said += os.read(ours, 1 << 16)
                if not words or b"file," in said:
                    process.stdin.close()
        os.close(ours)
        scene.check(process.wait(60) == 0, f"status {process.returncode}")
        scene.check(b'"file":"a.wav"' in said and (b"file," in said) == bool(words), words, said)


def verbose(scene):
    """-v names each file; -q prints only errors."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    run = scene.ends(0, *OUT, "-v", "a.wav", "b.wav", "c.wav")
    for name in ("a.wav", "b.wav", "c.wav"):
        scene.check(sum(name in line for line in run.lines) == 1, f"a line for {name}")
    scene.write("short.wav", noise_wav(3, 1))
    run = scene.ends(0, *OUT, "a.wav", "short.wav")
    scene.check(run.lines == scene.single("short.wav", "short.f32", *WINDOW)[0].lines, "the warning")
    scene.done(*OUT, "-q", "a.wav", "short.wav")


play()
