#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `gpuenv FILE` alone says: summary.py PROGRAM

A summary of sound, radio, arrays and tables, one file or many, is right beside the records of --stats, fits a terminal,
stands in no file that was to have samples, and ends early if the user says so."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish, floats, gpuenv, unread, wav

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
TABLE = "time,sensor,temp (C)\n2026-01-01 00:00,attic,3\n2026-01-01 00:10,attic,5.5\n2026-01-01 00:20,attic,\n"


def file(name, data):
    pathlib.Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return name


def summary(*words, status=0, **how):
    done = gpuenv(*words, **how)
    check(done.status == status, done)
    return done.out.decode()


def says(text, *patterns):
    for pattern in patterns:
        check(re.search(pattern, text, re.MULTILINE), pattern, "is not in", text)


# ---- each kind of input

SOUND = file("in.wav", wav(b"\0\0\0\x80\xff\x7f\0\x40" * 1000, channels=2))
says(summary(SOUND), r"\Ain\.wav$", r"^wav s16le, 2 channels \(left, right\), 8000 Hz$", r"^length: 0:00:00\.250, 2000 frames$",
     r"^ +Overall +Left +Right$", r"^Pk lev dB +0\.00 ", r"^Clipped +2000 +0? *")
says(summary("-t", "f32", "-r", "10", file("raw", floats(36001 * 10, 3))), r"^raw f32le, 1 channel, 10 Hz$",
     r"^length: 10:00:01\.000, 360010 frames$")
radio = summary(file("x.cu8", bytes(range(256)) * 8))
says(radio, r"^raw cu8, 1 channel of magnitudes$", r"^length: 1024 frames$", r"^RMS lev dB")
check("DC" not in radio, radio)
says(summary(file("a.npy", b"\x93NUMPY\1\0" + (118).to_bytes(2, "little")
                  + b"{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }".ljust(117) + b"\n"
                  + bytes([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]))),
     r"^npy s16le, shape \(2, 3\), in Fortran order$", r"^column 2 +2 +0 +3 +4 +3\.5 +0\.70711$", r"^column 2 +0 +1 +3 +4$")
says(summary(file("t.csv", TABLE)), r"^columns: 3, between commas$", r"^names: line 1$", r"^times: 1, .* every 600 s$",
     r"^length: 3 rows$", r"^temp \(C\) +2 +1 +3 +5\.5 +4\.25 +1\.7678$", r"^temp \(C\) +0 +1 +3 +5\.5$")
says(summary("-", data=TABLE.encode()), r"\Astandard input$", r"^length: 3 rows$")
says(summary(file("one.csv", "a,b\n1,2\n")), r"^length: 1 row$", r"^b +1 +0 +2 +2 +2 +-$")
says(summary(file("none.csv", "")), r"^length: 0 rows$")

# ---- the times of rows

LOG = "".join(f"{time // 1440 + 1:02}.01.2026 {time // 60 % 24:02}:{time % 60:02},{sensor},{value}\n"
              for time, sensor, value in [*((10 * i, "roof", i) for i in range(40)), (700, "attic", -3), (710, "roof", 7),
                                          (650, "attic", 99), (660, "roof", 1), (660, "attic", 2)])
says(summary(file("log.csv", "when,where,v\n" + LOG)), r"^length: 45 rows$", r"^from: 01\.01\.2026 00:00$",
     r"^to: 01\.01\.2026 11:50$", r"^usual step: 10 min$", r"^gaps: 1, the longest 5\.167 h before 01\.01\.2026 11:40$",
     r"^rows before the one above them: 1$", r"^rows at the time of the one above them: 1$",
     r"^words of 2: 'roof', 'attic' \(2\)$", r"^ +min time +max time$",
     r"^v +01\.01\.2026 11:40 01\.01\.2026 10:50$")
check("from:" not in summary(file("two.csv", "a,b,v\n" + "2026-01-01,2027-02-01,3\n" * 3)), "which column is it?")
says(summary("--time", "b", "two.csv"), r"^from: 2027-02-01$")

# ---- the words of all rows, wherever they are parsed

WORDS = "when,where,id,v\n" + "".join(f"{1700000000 + i},{'ab'[i % 2] if i < 90000 else f'w{i % 7}'},x{i},{i % 9}\n" for i in range(99999))
words = summary(file("words.csv", WORDS + "1700099999,NA,,1\n1700100000,\"w\"\"7\",y,1\n"))
says(words, r"^words of 2: 'a', 'b', 'w1', 'w2', 'w3', 'w4', \.\.\. \(10\)$",
     r"^words of 3: 'x0', 'x1', 'x2', 'x3', 'x4', 'x5', \.\.\. \(more than 1,000\)$")
check(words == summary("--threads", "1", "words.csv"), "threads")
says(summary("--frames", "9", "words.csv"), r"^words of 2: 'a', 'b' \(2 in 100 rows\)$")

# ---- options of input, and records

says(summary("--pick", "2", "--skip", "100", "--frames", "50", SOUND), r", 1 channel, ", r"length: .*, 50 frames")
for line in summary("--stats-format", "jsonl", SOUND, "t.csv", "a.npy").splitlines():
    record = json.loads(line)
    check(record["file"] in (SOUND, "t.csv", "a.npy") and "max" in record, line)
one = summary("--stats-format", "jsonl", SOUND)
check(one == summary("--emit", "none", "--stats", "-", SOUND), one)
both = summary(SOUND, "t.csv")
check(both == summary(SOUND) + "\n" + summary("t.csv"), both)
for words in (["-w", "3"], ["--zoom", "10ms"], ["-o", "x.csv"], ["--emit", "max"], ["--skip-existing"]):
    check(b"length: " not in gpuenv(*words, SOUND).out, words)

# ---- 80 columns, whatever the names are

wide = file("wide.csv", ",".join(["n" * 100, *(f"column of number {i} (degC)" for i in range(200))]) + "\n"
            + "".join(",".join(str(row * 1e9 + i / 7) for i in range(201)) + "\n" for row in range(5)))
text = summary(wide).partition("length: ")[2]
check(max(len(line) for line in text.splitlines() if line[:9] != "n" * 9) <= 80, text)
check(text.count("degC") == 400, text)

# ---- what is wrong

says(summary(file("bad.csv", "a,b\n1,2\n3\n4,5\n"), status=2), r"^a +2 +0 +1 +4 ", r"^length: 2 rows$")
says(gpuenv("bad.csv").said, r"\Agpuenv: bad\.csv: 1 bad line passed over, the first: line 3, ")
check(gpuenv("--bad-lines", "skip", "bad.csv").status == 0, "bad lines that are passed over")
with open("samples", "wb") as samples:
    lost = gpuenv("-t", "f32", "raw", stdout=samples)
    check(lost.status == 1 and os.path.getsize("samples") == 0, lost)
    check(gpuenv("-t", "f32", "--stats-format", "text", "raw", stdout=samples).status == 0, "a summary in a file")
check(gpuenv().status == 1 and gpuenv("-q").status == 1, "without an operand it is an error")

# ---- the user ends it

def end(child):
    child.send_signal(signal.SIGINT)
    out, said = child.communicate(timeout=60)
    check(child.returncode == -signal.SIGINT
          and re.search(rb"ended by SIGINT after \d+ frames: the summary is of these", said), child.returncode, said)
    return out.decode()


def start(name):
    return subprocess.Popen([PROGRAM, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


os.mkfifo("live.s16")
recorder = start("live.s16")
pipe = os.open("live.s16", os.O_WRONLY)
for _ in range(2):  # what it is, is found in the first
    os.write(pipe, bytes(20000))
    while unread(pipe):
        check(recorder.poll() is None, "a live input has ended") or sys.exit(1)
says(end(recorder), r"^length: 20000 frames$")
os.close(pipe)
with open("long.s16", "wb") as sparse:
    sparse.truncate(1 << 40)
reader = start("long.s16")
while int(pathlib.Path(f"/proc/{reader.pid}/io").read_text().split()[1]) < 1 << 26:
    check(reader.poll() is None, "a long input has ended") or sys.exit(1)
says(end(reader), r"^length: [1-9]\d* frames$")

# ---- a terminal is told what to do next

here, there = pty.openpty()
child = subprocess.Popen([PROGRAM, "-t", "cu8", "-r", "1M", "x.cu8"], stdout=there, stderr=subprocess.PIPE)
said = child.communicate(timeout=60)[1].decode()
os.close(there)
commands = re.findall(r"^gpuenv: (gpuenv .*)$", said, re.MULTILINE)
check(len(commands) == 2, said)
for command in commands:
    done = subprocess.run(command.replace("gpuenv", PROGRAM, 1), shell=True, check=False, stderr=subprocess.PIPE)
    check(done.returncode == 0, command, done.stderr)
    check(os.path.getsize(command.split()[-1]) > 0, command)
os.close(here)
finish()
