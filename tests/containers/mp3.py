#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""MP3 through libmpg123: mp3.py PROGRAM

Encoders' files of every kind have the frames that ffmpeg finds, from a file and from a pipe, whose bytes may
come in any pieces: the same ones. What is cut off, damaged or joined is the same from both, and told."""
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, check, cut, ffmpeg, finish, gpuenv, need, skip, tool

chance = random.Random(123)
FRAMES = 60_000

need("sox", "ffmpeg", "cc")


def of_file(data, name="x.mp3", program=gpuenv):
    path = folder / name
    path.write_bytes(data)
    done = program("-w", 1, "--emit", "max", "-T", "f32", path)
    return done.out, done.status, done.said.replace(str(path), "IN")


def of_pipe(data, largest, *words):
    """The bytes come in pieces of 1 to `largest`."""
    pieces = list(cut(data, iter(lambda: chance.randint(1, largest), 0)))
    done = gpuenv("-t", "mp3", "-w", 1, "--emit", "max", "-T", "f32", *words, data=pieces)
    return done.out, done.status, done.said.replace("standard input", "IN")


def same_from_a_pipe(what, data, got):
    """The advice for a pipe is another command."""
    for largest in (700, 50_000)[FEW:]:
        out, status, said = of_pipe(data, largest)
        check(out == got[0] and status == got[1], what, "from a pipe:", len(out), status, said, "not", got[1:])
        check(said.split(": try")[0].strip() == got[2].split(": try")[0].strip(), what, "says", said, "not", got[2])


def make():
    """What encoders write, by name: files and how ffmpeg or lame make them of which sound."""
    sounds = {"stereo.wav": (48000, 2), "mono.wav": (44100, 1), "lsf.wav": (22050, 1), "slow.wav": (8000, 2)}
    for name, (rate, channels) in sounds.items():
        tool("sox", "-D", "-R", "-r", rate, "-n", "-b", 16, "-c", channels, folder / name,
             "synth", f"{FRAMES}s", "triangle", "220", "synth", "pinknoise", "mix", "gain", "-6")
    files = {name: (sound, options) for name, sound, options in (row.split(" | ") for row in """\
cbr.mp3 | stereo.wav | -b:a 128k
vbr.mp3 | stereo.wav | -q:a 5
vbr-without-header.mp3 | stereo.wav | -q:a 5 -write_xing 0 -id3v2_version 0
abr.mp3 | mono.wav | -abr 1 -b:a 96k -write_id3v1 1 -metadata title=x
lsf.mp3 | lsf.wav | -q:a 4
slow.mp3 | slow.wav | -b:a 16k
layer2.mp2 | stereo.wav | -c:a mp2 -b:a 192k
lsf.mp2 | lsf.wav | -c:a mp2 -b:a 64k
xing.mp3 | mono.wav | -id3v2_version 0""".splitlines())}
    for name, (sound, options) in files.items():
        ffmpeg("-i", folder / sound, *options.split(), folder / name)
    tool("sox", "-D", folder / "mono.wav", folder / "sox.mp3")
    made = {name: (folder / name).read_bytes() for name in (*files, "sox.mp3")}
    if shutil.which("lame"):
        for name, sound, options in (("lame-to-a-pipe.mp3", "stereo.wav", "-V4"), ("lame.mp3", "mono.wav", "-V2"),
                                     ("lame-free.mp3", "stereo.wav", "--freeformat -b 200")):
            command = ["lame", "--quiet", *options.split(), folder / sound]
            if name == "lame-to-a-pipe.mp3":
                made[name] = subprocess.run([*command, "-"], capture_output=True, check=True).stdout
            else:
                tool(*command, folder / name)
                made[name] = (folder / name).read_bytes()
    else:
        print("skipped: what lame writes: lame is not installed")
    return made


def counted(data):
    """The samples that ffmpeg decodes."""
    (folder / "y.mp3").write_bytes(data)
    return len(tool("ffmpeg", "-v", "quiet", "-nostdin", "-i", folder / "y.mp3", "-f", "f32le", "-"))


def whole(made):
    for name, data in made.items():
        got = of_file(data, name)
        check(got[1:] == (0, ""), name, got[1:])
        if "free" not in name:  # ffmpeg has no free format
            check(len(got[0]) == counted(data), name, len(got[0]), "bytes, by ffmpeg", counted(data))
        same_from_a_pipe(name, data, got)
        some = gpuenv("-w", 1, "--emit", "max", "--skip", 7001, "--frames", 9000, folder / name).out
        due = got[0][len(some) * 7001 // 9000 :][: len(some)]
        check(len(some) in (36_000, 72_000) and some == due, name, "a part of it", len(some))
        for chunk, count in (1, 3000), (1000, FRAMES * 2):  # of so many frames at the most: a chunk of one takes its time
            done = gpuenv("-w", 1, "--emit", "max", "-T", "f32", "--chunk", chunk, "--frames", count, folder / name)
            due = got[0][:len(done.out)]
            check(done.out == due and len(due) in (len(got[0]), 4 * count, 8 * count), name, "in chunks of", chunk)


def id3(size):
    return b"ID3\4\0\0" + bytes(size >> shift & 127 for shift in (21, 14, 7, 0)) + b"x" * size


def ape(size):
    return b"APETAGEX" + struct.pack("<IIII", 2000, size, 1, 0xA0000000) + bytes(8) + b"y" * size


def in_front(made):
    """Tags of any size, also two; junk, which is told."""
    for name in ("vbr.mp3", "vbr-without-header.mp3", "layer2.mp2"):
        data = made[name]
        due = of_file(data)
        for what, tag in {"ID3v2": id3(5000), "two": id3(30) + id3(400), "a large one": id3(20_000_000),
                          "APE": ape(90_000), "both": ape(100) + id3(100), "padding": id3(100) + bytes(3000),
                          "zeros": bytes(5000)}.items():
            got = of_file(tag + data)
            check(got == due, name, "behind", what, got[1:])
            if len(tag) < 1_000_000:
                same_from_a_pipe((name, "behind", what), tag + data, got)
        for zeros, command in ((1, ["-"]), (3000, ["-"]), (417, [folder / "recording"])):
            (folder / "recording").write_bytes(bytes(zeros) + data)
            done = gpuenv("-w", 1, *command, data=bytes(zeros) + data)
            check(done.out == b"" and done.status == 2 and "give -t mp3" in done.said, zeros, "zeros before", name, done)
        junk = chance.randbytes(70_000)
        got = of_file(junk + data)
        check(got[:2] == due[:2] and "first MPEG frame begins at byte 700" in got[2], name, "behind junk:", got[1:])
        same_from_a_pipe((name, "behind junk"), junk + data, got)
    if shutil.which("flac"):
        tool("flac", "-s", "-f", "-o", folder / "x.flac", folder / "mono.wav")
        flac = (folder / "x.flac").read_bytes()
        due = of_file(flac, "y.flac")[0]
        check(of_file(id3(300) + flac, "y.flac") == (due, 0, ""), "FLAC behind a tag")


def tags_behind():
    footer = b"APETAGEX" + struct.pack("<III", 2000, 200_032, 1)
    id3v1 = b"TAG" + bytes(125)
    fields = b"\4\0\x10" + bytes(20_000 >> shift & 127 for shift in (21, 14, 7, 0))
    flags = [struct.pack("<I", word) for word in (0xA0000000, 0x80000000)]
    tags = {"APE": footer + flags[0] + bytes(200_008) + footer + flags[1] + bytes(8),
            "Lyrics3": lyrics(b"009011"), "ID3v1, enhanced": b"TAG+" + bytes(223) + id3v1,
            "ID3v2, with a footer": b"ID3" + fields + bytes(20_000) + b"3DI" + fields}
    tags |= {f"{name} and ID3v1": tags[name] + id3v1 for name in ("APE", "Lyrics3")}
    return tags | {"all": tags["ID3v2, with a footer"] + tags["APE"] + tags["Lyrics3"] + tags["ID3v1, enhanced"]}


def lyrics(digits):
    return b"LYRICSBEGIN" + b"a" * 9000 + digits + b"LYRICS200"


def behind(made):
    """Tags say nothing; what is no tag is told, and so is the end inside a frame. All frames come."""
    for name in ("xing.mp3", "vbr-without-header.mp3", "layer2.mp2")[:1 if FEW else 3]:
        data = made[name]
        due = of_file(data)
        for what, tag in tags_behind().items():
            got = of_file(data + tag)
            check(got == due, name, "in front of", what, got[1:])
        for what, junk in (("lyrics", lyrics(b"12a456")), ("lyrics", lyrics(b"999999")),
                           ("junk", random.Random(1).randbytes(200_000))):
            got = of_file(data + junk)
            check(got[:2] == (due[0], 2) and "not MPEG frames" in got[2], name, "in front of", what, got[1:])
        got = of_file(data[:-100])
        check(got[1] == 2 and ("ends inside the MPEG frame" in got[2] or name == "xing.mp3"), name, "cut off", got[1:])


def fraunhofer(data):
    """Their header in the place of the present one."""
    start = data.index(b"Info")
    count = struct.unpack(">I", data[start + 8 : start + 12])[0]
    size = data.index(data[:2], 100)
    first = bytearray(data[:4] + bytes(size - 4))
    first[36 : 36 + 18] = b"VBRI" + struct.pack(">HHHII", 1, 0, 0, len(data), count)
    for what, bad, words in (("whole", data[size:], ""), ("less a byte", data[size:5000] + data[5001:], "is damaged"),
                             ("less frames", data[size : data.rindex(data[:2], 0, -500)], "promises more")):
        got = of_file(bytes(first) + bad)
        check(got[1] == (2 if words else 0) and words in got[2] and bool(words) == bool(got[2]), "VBRI,", what, got[1:])
        check(words or len(got[0]) == counted(bytes(first) + bad), "VBRI,", len(got[0]))


def joined(made):
    """One behind the other: all frames. More than a header promises is a warning, another rate an error."""
    plain, headed = made["vbr-without-header.mp3"], made["vbr.mp3"]
    due = of_file(plain)[0]
    for what, data in (("two", plain + plain), ("with a tag between", plain + id3(70_000) + plain),
                       ("with an APE tag between", plain + tags_behind()["APE"] + plain)):
        got = of_file(data)
        check(len(got[0]) == 2 * len(due) and got[1:] == (0, ""), what, len(got[0]), got[1:])
        same_from_a_pipe(what, data, got)
    got = of_file(headed + plain)
    check(len(got[0]) >= 2 * FRAMES * 8 and got[1] == 0 and re.search(r"has \d+ MPEG frames, and its mp3 header "
          r"promises \d+: all were used", got[2]), "behind a header", got[1:])
    same_from_a_pipe("behind a header", headed + plain, got)
    for name in ("abr.mp3", "lsf.mp3"):
        got = of_file(plain + made[name])
        check(got[:2] == (due, 2) and "its rate or channels change at byte" in got[2], name, got[1:])
        same_from_a_pipe(("behind", name), plain + made[name], got)
    got = of_file(plain + b"ID3\4\0\0\x7f\x7f\x7f\x7f" + chance.randbytes(9000))
    check(got[:2] == (due, 2) and "a tag of more than 16 MiB begins at byte" in got[2], "a tag without end", got[1:])


def damaged(made):
    """Cut at many places, with bytes removed, added and changed: the same from a pipe, and told."""
    for name in ("vbr.mp3", "vbr-without-header.mp3", "layer2.mp2", "slow.mp3"):
        data = made[name]
        due = of_file(data)[0]
        for i in range(24 if FEW else 60):
            at = chance.randrange(1500, len(data))
            size = chance.choice((1, 10, 1000))
            what, bad = (
                ("cut at", data[:at]),
                ("removed at", data[:at] + data[at + size :]),
                ("added at", data[:at] + chance.randbytes(size) + data[at:]),
            )[i % 3]
            got = of_file(bad)
            between = what == "cut at" and name != "vbr.mp3" and len(got[0]) % 1152 == 0
            check(got[2] != "" or between, name, what, at, size, "is not told:", len(got[0]), "of", len(due))
            check(got[1] == 2 or "no MPEG frame" in got[2] or got[2] == "", name, what, at, size, got[1:])
            if i % 6 < 3:
                same_from_a_pipe((name, what, at, size), bad, got)
    # One byte removed: no frame is lost, and one is wrong.
    data = made["vbr-without-header.mp3"]
    due = of_file(data)[0]
    got = of_file(data[:9000] + data[9001:])
    check(len(got[0]) == len(due) and got[1] == 2 and "no MPEG frame begins at byte" in got[2], "less a byte", got[1:])
    frames = [at.start() for at in re.finditer(re.escape(made["layer2.mp2"][:2]), made["layer2.mp2"])]
    got = of_file(made["layer2.mp2"][: frames[1]])
    check(len(got[0]) == 1152 * 8 and got[1:] == (0, ""), "one frame", len(got[0]), got[1:])
    for nothing in (b"", b"\xff", id3(100), chance.randbytes(3000), bytes(9000)):
        got = of_file(nothing)
        check(got[0] == b"" and got[2].count("\n") == 1, "without frames:", len(nothing), got[1:])


def at_once(data):
    """The frames of the first bytes come before the rest does, and there is no temporary file."""
    reader, writer = os.pipe()
    with subprocess.Popen([sys.argv[1], "-t", "mp3", "-w", "1", "--emit", "max"], stdin=reader, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": "/nowhere"}) as process:
        os.close(reader)
        os.write(writer, data[:20_000])
        timer = threading.Timer(20, process.kill)
        timer.start()
        got = process.stdout.read(8 * 1152 * 8)
        check(len(got) == 8 * 1152 * 8, "before the end:", len(got), "bytes")
        os.close(writer)
        process.stdout.read()
        timer.cancel()


def without(data):
    """Where libmpg123 cannot be loaded, lacks what it calls, or does not start, an error says so; nothing else decodes MP3."""
    library = folder / "libmpg123.so.0"
    env = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    names = "init new delete open_feed param2 feed decode_frame getformat framepos tell_stream errcode strerror".split()
    (folder / "broken.c").write_text("int lost(void);\n" + "".join(f"int mpg123_{name}(void) {{ return RESULT; }}\n" for name in names))
    library.write_text("no library\n")
    for way in ("no library", "-DRESULT=1 -Dmpg123_feed=another", "-DRESULT=lost()", "-DRESULT=1"):
        if way != "no library":
            tool("cc", "-shared", "-fPIC", "-o", library, folder / "broken.c", *way.split())
        got = of_file(data, program=lambda *words: gpuenv(*words, env=env))
        check(got[:2] == (b"", 2) and got[2].startswith("gpuenv: IN: libmpg123 is needed (Debian: libmpg123-0): ") and
              "libmpg123.so.0" in got[2], way, got[1:])
    check("libmpg123: not found" in gpuenv("--version", env=env).out.decode(), "its version")
    done = gpuenv("-w", 1, "-t", "sndfile", folder / "x.mp3")
    check(done.out == b"" and "give -t mp3" in done.said, "-t sndfile:", done.status, done.said)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    if re.search(r"libmpg123: not ", gpuenv("--version").out.decode()):
        skip("no libmpg123")
    files = make()
    whole(files)
    in_front(files)
    behind(files)
    fraunhofer(files["xing.mp3"])
    joined(files)
    damaged(files)
    at_once(files["vbr-without-header.mp3"])
    without(files["vbr.mp3"])
finish()
