#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every format, by its ending and by its first bytes: formats.py PROGRAM [WITHOUT_LIBSNDFILE]

Files of sox, ffmpeg, flac, libsndfile and numpy are recognised with their ending, without it, by
redirection and in a pipe, and give the right frames, a part of them too; what is cut off, and what follows,
is told. Files written here, under each ending and in pipes, are read by those programs. Files that are not
sound, or not readable here, are rejected with a message that says what they are. A program without
libsndfile reads the formats that do not need it, and says so of the others.
"""
import array
import bz2
import gzip
import io
import itertools
import lzma
import math
import pathlib
import os
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(1, sys.path[0] + "/..")
import harness
from harness import check, finish, need, needed_modules, tool

with needed_modules():
    import numpy as np
    import sndfile
need("sox", "ffmpeg", "flac")

RATE = 48000
FRAMES = 1001
# 16 bits, so that every lossless format can hold them; the channels differ.
WHOLE = [[round(12000 * math.sin(i / (7 + c)) + 100 * c) for c in range(2)] for i in range(FRAMES)]


def gpuenv(*options, data=None, file=os.devnull):
    with open(file, "rb") as stdin:
        how = {"stdin": stdin} if data is None else {"data": data}
        usual = () if "-o" in options or "-T" in options else ("-T", "f32")  # says that float32 will do
        done = harness.gpuenv("-w", 1, "--emit", "max", *usual, *options, **how)
    return done.status, done.out, done.said


HAS_SNDFILE = "libsndfile" not in gpuenv("-T", "flac", "-r", 1)[2]
WITHOUT = sys.argv[2:3]


def samples(channels):
    return array.array("f", [v / 32768 for frame in WHOLE for v in frame[:channels]])


# ---- what is read

# who writes it | the ending, and the format's name for that program | its options | what it is
# said to be | mono, stereo or both | "=": its frames are ours, "+": ours, and a few of silence (ffmpeg
# counts the padding of a W64), "~": as many, and nearly ours, "?": about as many;
# "pipe": its program can write it to a pipe, "told": in a pipe it needs -t sndfile,
# "codec": libsndfile has to read it
READ = """
sox     wav     -b 16 -e signed | a WAV file                | both   | = pipe
sox     wav     -b 24 -e signed | a WAV file                | both   | = pipe
sox     wav     -b 32 -e float  | a WAV file                | both   | = pipe
sox     wav     -b 64 -e float  | a WAV file                | both   | = pipe
sox     wav     -B              | a big-endian WAV file     | both   | = pipe
sox     wav     -B -b 24        | a big-endian WAV file     | both   | = pipe
sox     wav     -e u-law        | a WAV file                | both   | ~ pipe
sox     wav     -e a-law        | a WAV file                | both   | ~ pipe
sox     wav     -e ms-adpcm     | a WAV file                | both   | ?
sox     wav     -e ima-adpcm    | a WAV file                | both   | ?
sox     wav     -e gsm-full-rate | a WAV file               | mono   | ?
sox     w64     -b 16           | a W64 file                | both   | = pipe
sox     w64     -b 24           | a W64 file                | both   | = pipe
sox     aiff    -b 16           | an AIFF file              | both   | = pipe
sox     aif     -b 24           | an AIFF file              | both   | = pipe
sox     aifc    -b 16           | an AIFC file              | both   | = pipe
sox     aiffc   -b 24           | an AIFC file              | both   | = pipe
sox     au      -b 16           | an AU file                | both   | = pipe
sox     snd     -b 24           | an AU file                | both   | = pipe
sox     au      -b 32 -e float  | an AU file                | both   | = pipe
sox     au      -e u-law        | an AU file                | both   | ~ pipe
sox     au      -L              | a little-endian AU file   | both   | = pipe
sox     au      -L -b 32        | a little-endian AU file   | both   | = pipe
sox     caf     -b 16           | a CAF file                | both   | = pipe
sox     caf     -b 24           | a CAF file                | both   | = pipe
sox     caf     -b 8            | a CAF file                | both   | ~ pipe
sox     caf     -L -b 32        | a CAF file                | both   | = pipe
sox     flac    -b 16           | a FLAC file               | both   | = pipe
sox     flac    -b 24           | a FLAC file               | both   | = pipe
sox     ogg                     | an Ogg file               | both   | ~ pipe
sox     mp3                     | an MP3 file               | both   | ?
sox     ircam   -b 16           | an IRCAM file             | both   | = pipe
sox     sf      -B -b 16        | an IRCAM file             | both   | = pipe
sox     8svx                    | an 8SVX file              | mono   | ~
sox     voc     -b 16           | a VOC file                | both   | =
sox     voc     -e a-law        | a VOC file                | both   | ~
sox     sph     -b 16           | a NIST Sphere file        | both   | = pipe
sox     sph     -e a-law        | a NIST Sphere file        | both   | ~ pipe
sox     nist    -b 16           | a NIST Sphere file        | both   | = pipe
sox     paf     -b 16           | a PAF file                | both   | =
sox     fap     -b 16           | a PAF file                | both   | =
sox     pvf     -b 16           | a PVF file                | both   | =
sox     avr     -b 16           | an AVR file               | both   | =
sox     xi                      | an XI file                | mono   | ~
sox     mat4    -b 16           | a MAT4 file               | both   | =
sox     htk     -b 16           | an HTK file               | mono   | = told
ffmpeg  wav     -c:a pcm_s16le  | a WAV file                | both   | = pipe
ffmpeg  wav     -c:a pcm_s24le  | a WAV file                | both   | = pipe
ffmpeg  wav     -c:a pcm_f32le  | a WAV file                | both   | = pipe
ffmpeg  wav     -c:a pcm_f64le  | a WAV file                | both   | = pipe
ffmpeg  wav     -rf64 always    | an RF64 file              | both   | = pipe
ffmpeg  wav     -c:a pcm_s24le -rf64 always | an RF64 file  | both   | = pipe
ffmpeg  wav     -c:a pcm_u8 -rf64 always | an RF64 file     | mono   | ~ pipe
ffmpeg  wav     -c:a pcm_alaw -rf64 always | an RF64 file   | both   | ~ pipe
ffmpeg  wav     -c:a pcm_mulaw -rf64 always | an RF64 file  | mono   | ~ pipe
ffmpeg  w64     -c:a pcm_s16le  | a W64 file                | both   | + pipe
ffmpeg  w64     -c:a pcm_s24le  | a W64 file                | both   | + pipe
ffmpeg  w64     -c:a pcm_f32le  | a W64 file                | both   | + pipe
ffmpeg  aiff    -c:a pcm_s16be  | an AIFF file              | both   | = pipe
ffmpeg  aiff    -c:a pcm_s24be  | an AIFF file              | both   | = pipe
ffmpeg  aiff    -c:a pcm_alaw   | an AIFC file              | both   | ~
ffmpeg  au      -c:a pcm_s16be  | an AU file                | both   | = pipe
ffmpeg  au      -c:a pcm_f32be  | an AU file                | both   | = pipe
ffmpeg  caf     -c:a pcm_s16be  | a CAF file                | both   | = pipe
ffmpeg  caf     -c:a pcm_s24le  | a CAF file                | both   | = pipe
ffmpeg  caf     -c:a pcm_f32le  | a CAF file                | both   | = pipe
ffmpeg  flac                    | a FLAC file               | both   | = pipe
ffmpeg  ogg     -c:a libvorbis  | an Ogg file               | both   | ? pipe
ffmpeg  oga     -c:a libvorbis  | an Ogg file               | both   | ? pipe
ffmpeg  opus    -c:a libopus    | an Ogg file               | both   | ? pipe
ffmpeg  mp3     -write_id3v2 0  | an MP3 file               | both   | ? pipe
ffmpeg  mp3                     | an MP3 file               | both   | ? pipe
ffmpeg  voc     -c:a pcm_u8     | a VOC file                | mono   | ~
ffmpeg  ircam   -c:a pcm_s16le  | an IRCAM file             | both   | = pipe
flac    flac    -8              | a FLAC file               | both   | = pipe
sndfile wav     s16 little      | a WAV file                | both   | =
sndfile wav     s24 big         | a big-endian WAV file     | both   | =
sndfile wav     alaw            | a WAV file                | both   | ~
sndfile rf64    f32             | an RF64 file              | both   | =
sndfile w64     s24             | a W64 file                | both   | =
sndfile aiff    s16             | an AIFF file              | both   | =
sndfile aiff    s24 little      | an AIFC file              | both   | = codec
sndfile aiff    f32             | an AIFC file              | both   | =
sndfile au      s16 big         | an AU file                | both   | =
sndfile au      s24 little      | a little-endian AU file   | both   | =
sndfile au      alaw little     | a little-endian AU file   | both   | ~
sndfile caf     s16             | a CAF file                | both   | =
sndfile caf     alaw            | a CAF file                | both   | ~
sndfile flac    s24             | a FLAC file               | both   | =
sndfile ircam   s16 little      | an IRCAM file             | both   | =
sndfile ircam   s16 big         | an IRCAM file             | both   | =
sndfile svx     s16             | a 16SV file               | mono   | =
sndfile svx     s8              | an 8SVX file              | mono   | ~
sndfile nist    s24             | a NIST Sphere file        | both   | =
sndfile voc     s16             | a VOC file                | both   | =
sndfile paf     s16 little      | a PAF file                | both   | =
sndfile paf     s16 big         | a PAF file                | both   | =
sndfile pvf     s16             | a PVF file                | both   | =
sndfile avr     s16             | an AVR file               | both   | =
sndfile xi      dpcm            | an XI file                | mono   | =
sndfile wve     alaw            | a Psion file              | mono   | ~
sndfile mat4    s16 little      | a MAT4 file               | both   | =
sndfile mat4    s32 big         | a MAT4 file               | both   | =
sndfile mat4    f32 little      | a MAT4 file               | both   | =
sndfile mat4    f64 big         | a MAT4 file               | both   | =
sndfile htk     s16             | an HTK file               | mono   | = told
sndfile mpc2k   s16             | an MPC 2000 file          | both   | = told
numpy   npy     <f4             | a NumPy file              | both   | =
numpy   npy     >f8             | a NumPy file              | both   | =
"""


# These need no libsndfile, if their samples are numbers.
OURS = ("a WAV file", "a big-endian WAV file", "an RF64 file", "a W64 file", "an AIFF file", "an AIFC file",
        "an AU file", "a little-endian AU file", "a CAF file", "a NumPy file")


def make(who, ending, options, channels, path, is_piped):
    """The file, and, if that is wanted, what the same program writes to a pipe."""
    wav = f"{channels}.wav"
    if who == "sox":
        tool("sox", "-D", wav, *options, path)
        return tool("sox", "-D", wav, *options, "-t", ending, "-") if is_piped else None
    if who == "ffmpeg":
        words = [*options, "-f", {"oga": "ogg"}.get(ending, ending)]
        return tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", wav, *words, path, *[*words, "-"] * is_piped)
    if who == "flac":
        tool("flac", "-s", "-f", *options, "-o", path, wav)
        return tool("flac", "-s", "-c", *options, wav) if is_piped else None
    if who == "sndfile":
        sndfile.write(path, ending, options[0], samples(channels), channels, RATE, *options[1:])
    else:
        values = np.array(samples(channels), np.float32).reshape(-1, channels)
        np.save(path, (values[:, 0] if channels == 1 else values).astype(options[0]))
    return None


def compare(label, how, due, channels, got):
    status, frames, words = got
    count = len(frames) / 4 / channels
    check(status == 0 and words == "", label, "exit", status, words)
    if how == "=":
        check(frames == due, label, count, "frames, or others than", FRAMES)
    elif how == "+":
        check(frames.startswith(due) and count < FRAMES + 8 and not any(frames[len(due):]), label, count, "frames")
    elif how == "~":
        check(count == FRAMES, label, count, "frames")
        off = np.frombuffer(frames, "<f4") - np.frombuffer(due, "<f4") if count == FRAMES else np.zeros(1)
        check(np.square(off).sum() < 0.01 * np.square(np.frombuffer(due, "<f4")).sum(), label, "other frames")
    else:
        check(FRAMES <= count < FRAMES + 3000, label, count, "frames")


# Their headers do not say how much comes, or only to -t sndfile.
ENDLESS = ("an IRCAM file", "a PAF file", "a PVF file", "an AVR file", "an XI file", "a Psion file", "a MAT4 file",
           "an HTK file", "an MPC 2000 file", "an MP3 file")


def damage(label, made, how, raw, whole, frame):
    """Cut off, twice, with junk and with a remark behind it: all there is, and an error; the same from a pipe."""
    ending = made.split()[1]
    for what, data in ("half", raw[:len(raw) // 2]), ("less a byte", raw[:-1]), ("twice", 2 * raw), \
            ("with a remark", raw + b"a remark\n"), ("with junk", raw + bytes(range(255, 0, -1)) * 24):
        path = pathlib.Path(f"damaged.{ending}")
        path.write_bytes(data)
        status, got, said = gpuenv(path)
        where = label, what, status, len(got), "bytes of", len(whole), said
        if made.startswith("sox     voc     -b") and what in ("twice", "with a remark", "with junk"):
            # sox writes a wrong size: what follows is taken for another block.
            check(status == 2 and got == b"" and "misreads: try ffmpeg" in said, *where)
        elif what == "with junk":
            # libsndfile takes a wrong size of a 16SV.
            is_whole = got == whole or "svx     s16" in made
            check(status == 2 and is_whole, *where)
        elif what == "twice" and ending in ("ogg", "oga", "opus"):
            check(status == 0 and got == 2 * whole and said == "", *where)  # a chain
        elif what in ("half", "twice"):
            check(status == 2 and (what == "half" or got == whole), *where)
            check(how == "?" or whole.startswith(got), *where)
            check(gpuenv("--chunk", 7, path) == (status, got, said), *where, "but with --chunk 7")
            again = gpuenv(data=data)
            check(again[:2] == (status, got) and again[2].count("\n") == 1, *where, "but in a pipe:", *again)
        elif what == "less a byte":
            # It may be padding; a decoder of blocks may lose the last one; sox writes a wrong size for a VOC.
            is_less = whole[:-frame] == got or how == "?" or ending in ("flac", "ogg")
            check(status == 2 and is_less or raw[-1] == 0 and got == whole or ending == "voc", *where)
        else:
            # A few bytes may be tags; libsndfile takes a wrong size of a 16SV.
            check(status == 0 and (got == whole or "svx     s16" in made), *where)


def read_row(line):
    made, words, shapes, how = (part.strip() for part in line.split("|"))
    who, ending, *options = made.split()
    how, *flags = how.split()
    all_channels = {"mono": [1], "stereo": [2], "both": [1, 2]}[shapes]
    for channels in all_channels:
        label = f"{made}, {channels} channels:"
        due = struct.pack(f"<{FRAMES * channels}f", *samples(channels))
        path = pathlib.Path(f"x.{ending}")
        bare = pathlib.Path("bare")
        piped = make(who, ending, options, channels, path, "pipe" in flags)
        path.rename(bare)
        bare.rename(path)
        raw = path.read_bytes()
        bare.write_bytes(raw)
        told = ["-t", "sndfile"] if "told" in flags else []
        first = gpuenv(path)
        is_ours = how in "=+" and words in OURS and "codec" not in flags
        if not HAS_SNDFILE and not is_ours and first[0] == 2:
            check("without libsndfile" in first[2], label, first[2])
            continue
        compare(f"{label} by its ending,", how, due, channels, first)
        if WITHOUT:
            alone = harness.run(os.path.abspath(WITHOUT[0]), "-w", 1, "--emit", "max", "-T", "f32", path)
            refused = not is_ours and alone.status == 2 and "without libsndfile" in alone.said
            check(refused or (alone.status, alone.out, alone.said) == first, label, "without libsndfile", alone)
        for way, got in (("without one", gpuenv(bare)), ("redirected", gpuenv(file=bare)),
                         ("in a pipe", gpuenv(*told, data=raw))):
            check(got == first, label, way, got[0], len(got[1]), got[2])
        count = len(first[1]) // 4 // channels
        for past in (0, 1):  # to the end is not behind it, and neither is damage
            status, got, said = gpuenv("--skip", count + past, path)
            check(status == 0 and got == b"" and f"--skip {count + past} skips all of its {count} frames" in said,
                  label, "--skip", count + past, status, said)
        part = first[1][400 * channels:3200 * channels]
        for way, got in ("file", gpuenv("--skip", 100, "--frames", 700, path)), \
                ("pipe", gpuenv("--skip", 100, "--frames", 700, *told, data=raw)):
            check(got == (0, part, ""), label, "a part of the", way, got[0], len(got[1]), got[2])
        for chunk in (1, 7, 4096):
            got = gpuenv("--chunk", chunk, path)
            check(got == first, label, "--chunk", chunk, got[0], len(got[1]), got[2])
        said = gpuenv("-v", bare)[2]
        endless = words in ENDLESS and words != "an MP3 file"
        check(("its header does not say where it ends" in said) == endless, label, "with -v:", said)
        if words not in ENDLESS and channels == all_channels[-1]:
            damage(f"{words}: {label}", made, how, raw, first[1], 4 * channels)
        other = "wav" if who == "numpy" else "npy"
        status, _, said = gpuenv("-t", other, bare)
        check(status == 2 and f" is {words}, not " in said, label, said)
        if "pipe" in flags:
            compare(f"{label} from its pipe,", how, due, channels, gpuenv(data=piped))
        path.unlink()


def in_the_units_of_the_file():
    """--counts takes integers of the file's width as they are, and a time is one at its rate."""
    for bits, ending in itertools.product((16, 24), ("wav", "aiff", *["flac"] * HAS_SNDFILE)):
        tool("sox", "-D", "2.wav", "-b", bits, f"units.{ending}")
        due = [value * 2 ** (bits - 16) for frame in WHOLE for value in frame]
        check(gpuenv("--counts", f"units.{ending}")[1] == struct.pack(f"<{len(due)}f", *due), ending, bits, "--counts")
    due = harness.gpuenv("-w", 480, "1.wav").out
    check(len(due) > 0 and harness.gpuenv("-w", "10ms", "-c", 1, "-r", "48k", "1.wav").out == due, "-w 10ms")


def late():
    """At most 16 MiB of a pipe are kept in case libsndfile is needed. A file is read again."""
    wav = pathlib.Path("1.wav").read_bytes()
    data = b"RIFF\xff\xff\xff\xffWAVEjunk" + struct.pack("<I", 1 << 25) + bytes(1 << 25) + wav[12:]
    pathlib.Path("late.wav").write_bytes(data)
    check(gpuenv("late.wav") == gpuenv("1.wav"), "a fmt chunk after 32 MiB")
    status, got, said = gpuenv(data=data)
    check(status == 2 and got == b"" and said.endswith(": more than 16777216 bytes before its fmt chunk\n"), said)
    tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "1.wav", "two.caf")
    status, got, said = gpuenv(data=pathlib.Path("two.caf").read_bytes() + wav)
    check(status == 2 and "a WAV file follows" in said, "CAF and WAV", status, said)


# ---- what is written

# the ending | the type and what else -T takes after it | who reads it
WRITTEN = """
wav  | f32 s16 s24 s32 u8 f64 | sox ffmpeg sndfile
wave | f32                    | ffmpeg
rf64 | f32 s16 s24            | ffmpeg sndfile
w64  | f32 s16 s24 s32 f64    | ffmpeg sndfile
aiff | f32 s8 s16 s24 s32 f64 | sox ffmpeg sndfile
aif  | s16                    | sox ffmpeg sndfile
aifc | f32                    | sox ffmpeg sndfile
au   | f32 s8 s16 s24 s32 f64 | sox ffmpeg sndfile
snd  | s16                    | sox ffmpeg sndfile
caf  | f32 s16 s24 s32 f64    | ffmpeg sndfile
flac | s16 s24                | sox ffmpeg sndfile
npy  | f32 f64                | numpy
"""


def by_ffmpeg(paths):
    """The frames of each file as float32. One process reads them all: it takes longer to start than to read."""
    words = ["ffmpeg", "-v", "warning", "-nostdin", "-y"]
    for path in paths:
        words += ["-guess_layout_max", "0", "-i", path]
    for at in range(len(paths)):
        words += ["-map", at, "-c:a", "pcm_f32le", "-f", "f32le", f"by_ffmpeg.{at}"]
    tool(*words)
    return [pathlib.Path(f"by_ffmpeg.{at}").read_bytes() for at in range(len(paths))]


def readers(path, who, channels):
    """The frames as float32."""
    if who == "sox":
        return tool("sox", "-D", path, "-t", "f32", "-")
    if who == "ffmpeg":
        return by_ffmpeg([path])[0]
    if who == "sndfile":
        values, *shape = sndfile.read(path)
        check(shape == [channels, RATE], path, shape)
        return struct.pack(f"<{len(values)}f", *values)
    return np.load(path).astype("<f4").tobytes()


def write_row(line):
    ending, kinds, who = (part.strip() for part in line.split("|"))
    if ending == "flac" and not HAS_SNDFILE:
        return
    name = {"wave": "wav", "aif": "aiff", "aifc": "aiff", "snd": "au"}.get(ending, ending)
    for_ffmpeg = []
    for kind, channels in itertools.product(kinds.split(), (1, 2)):
        # W64 pads to eight bytes, others to two.
        for frames in (1, 2, 3, 5, FRAMES) if name == "w64" else (1, 2, FRAMES):
            due = struct.pack(f"<{frames * channels}f", *samples(channels)[:frames * channels])
            if kind in ("u8", "s8"):
                due = struct.pack(f"<{frames * channels}f",
                                  *(math.floor(v * 128) / 128 for v in samples(channels)[
                                      :frames * channels]))
            path = pathlib.Path(f"y.{ending}")
            path.unlink(missing_ok=True)
            status, _, said = gpuenv("-c", channels, "-r", RATE, "-T", f"{name}:{kind}", "-o",
                                     path, data=due)
            check(status == 0 and said == "", ending, kind, channels, frames, said)
            for reader in who.split():
                label = (ending, kind, f"{channels} channels, {frames} frames, by", reader)
                if reader == "ffmpeg":
                    kept = pathlib.Path(f"{len(for_ffmpeg)}-{path}")
                    kept.write_bytes(path.read_bytes())
                    for_ffmpeg.append((kept, due, label))
                elif not (reader == "sox" and kind in ("f64", "s32") and name == "wav"):
                    check(readers(path, reader, channels) == due, *label)
            status, back, said = gpuenv("-t", "auto", path)
            check(status == 0 and back == due, ending, kind, channels, frames, said)
            # By its ending it is what -T says.
            if kind == kinds.split()[0] and name != "flac":
                gpuenv("-c", channels, "-r", RATE, "-o", f"z.{ending}", data=due)
                usual = pathlib.Path(f"z.{ending}")
                if kind == "f32":
                    check(usual.read_bytes() == path.read_bytes(), ending, "by its ending")
                usual.unlink()
    if for_ffmpeg:
        paths, dues, labels = zip(*for_ffmpeg)
        for got, due, label in zip(by_ffmpeg(paths), dues, labels):
            check(got == due, *label)


def same_as_libsndfile():
    """AIFF is what libsndfile writes, but where that is wrong: see CHANGELOG.md."""
    for kind, channels, frames in itertools.product(("f32", "f64", "s16", "s24", "s32", "s8"), (1, 2), (6, 100, 1000)):
        values = samples(channels)[:frames * channels]
        if kind == "s8":
            values = [math.floor(v * 128) / 128 for v in values]
        sndfile.write("due.aiff", "aiff", kind, values, channels, RATE)
        gpuenv("-c", channels, "-r", RATE, "-T", f"aiff:{kind}", "-o", "got.aiff",
               data=struct.pack(f"<{len(values)}f", *values))
        check(pathlib.Path("got.aiff").read_bytes() == pathlib.Path("due.aiff").read_bytes(),
              "as libsndfile:", kind, channels, frames)


def digits():
    """float32 loses digits of 32-bit PCM if there are more than 24 bits, however they are handed on."""
    if not HAS_SNDFILE:
        return
    for kind, last, lost in (("s16", b"", 0), ("s24", b"", 0), ("s32", b"", 0), ("s32", b"\x13\x57\x9b\x13", 1)):
        sndfile.write("digits.nist", "nist", kind, [0.1, -0.3, 0.7], 1, RATE)
        data = pathlib.Path("digits.nist").read_bytes()
        pathlib.Path("digits.nist").write_bytes(data[:len(data) - len(last)] + last)
        done = harness.gpuenv("-w", 1, "digits.nist")
        check(done.status == 0 and done.said.count("are rounded to float32: -T f64") == lost, kind, done.said)
        check(done.said.count("\n") == lost, kind, done.said)
    gpuenv("-r", RATE, "-T", "flac:s24", "-o", "digits.flac", "digits.nist")
    check(harness.gpuenv("-w", 1, "digits.flac").said == "", "flac")


def in_pipes():
    """A length that is known beforehand, or not, gives a file with the same frames, or is refused."""
    due = struct.pack(f"<{FRAMES}f", *samples(1))
    pathlib.Path("in.f32").write_bytes(due)
    for kind in ("wav", "wav:s24", "rf64", "w64", "au", "aiff", "aiff:s8", "aiff:s24", "caf", "caf:s24", "npy",
                 *["flac"] * HAS_SNDFILE):
        words = ("-r", RATE, "-T", kind)
        gpuenv(*words, "-o", "file", "in.f32")
        whole = pathlib.Path("file").read_bytes()
        got = gpuenv(*words, "in.f32")[1]
        check(got == whole or kind == "flac" and gpuenv(data=got) == (0, due, ""), kind, "of known length in a pipe")
        status, got, said = gpuenv(*words, data=due)
        if kind in ("rf64", "w64", "npy"):
            check(status == 1 and got == b"" and "not known" in said, kind, status, said)
            continue
        check(got == whole or kind[:4] != "aiff", kind, "of unknown length in a pipe")
        if kind == "aiff:s8":
            continue
        pathlib.Path("piped").write_bytes(got)
        for reader in ("ffmpeg", *["sox"] * (kind in ("wav", "au"))):
            check(readers("piped", reader, 1) == due, kind, "of unknown length, by", reader)
        check(gpuenv(data=got) == (0, due, ""), kind, "of unknown length")
    # In append mode the header cannot be filled in at the end.
    with open("appended", "ab") as file:
        words = [harness.PROGRAM, "-w", "1", "--emit", "max", "-r", str(RATE), "-T", "wav"]
        subprocess.run(words, input=due, stdout=file, check=True)
    check(readers("appended", "ffmpeg", 1) == due and gpuenv("-t", "wav", "appended") == (0, due, ""), "appended")


def no_frames():
    """A file that the others can read, with its channels and rate."""
    for kind in ("wav", "rf64", "w64", "au", "aiff", "aiff:s16", "aiff:f64", "caf", "npy",
                 *["flac", "ogg"] * HAS_SNDFILE):
        name = f"empty.{kind.split(':')[0]}"
        words = ("-q", "-r", 44100, "-c", 3, "-T", kind)
        check(gpuenv(*words, "-o", name, data=b"")[0] == 0, kind, "without frames")
        for got in gpuenv(name), gpuenv(data=gpuenv(*words, data=b"")[1]):
            check(got[:2] == (0, b"") and "the input has 0 frames" in got[2], kind, "without frames:", *got)
        # For an empty AIFF, even its own, sox reports a missing chunk of samples.
        if kind in ("wav", "au", "caf", "flac", "ogg"):
            facts = [int(tool("soxi", option, name)) for option in ("-s", "-c", "-r")]
            check(facts == [0, 3, 44100], kind, "without frames, by sox:", facts)
        if kind not in ("rf64", "w64", "npy"):
            check(readers(name, "ffmpeg", 3) == b"", kind, "without frames, by ffmpeg")


def compressed():
    """flac takes its files, also from a pipe, and with their length where that is known; Vorbis is lossy, but close."""
    if not HAS_SNDFILE:
        return
    sound = struct.pack(f"<{20 * FRAMES}f", *samples(1) * 20)
    pathlib.Path("sound.f32").write_bytes(sound)
    for way in (["-o", "sound.flac", "sound.f32"], ["sound.f32"]):
        piped = gpuenv("-r", RATE, "-T", "flac:s16", *way)[1]
        if piped:
            pathlib.Path("sound.flac").write_bytes(piped)
        tool("flac", "-s", "-t", "sound.flac")
        check(int(tool("soxi", "-s", "sound.flac")) == 20 * FRAMES, "flac", *way)
    tool("sox", "long.wav", "longer.wav", "repeat", 10)
    for ending in "ogg", "opus", "mp3":
        path = pathlib.Path(f"cut.{ending}")
        tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "longer.wav", path)
        path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])
        got = gpuenv(path)
        check(got[0] == 2 and got[1] and gpuenv(data=path.read_bytes())[:2] == got[:2], ending, "cut off", got[2])
    for how in ({}, {"data": sound}):
        gpuenv("-r", RATE, "-T", "ogg", "-o", "sound.ogg", *[] if how else ["sound.f32"], **how)
        for got in gpuenv("sound.ogg")[1], readers("sound.ogg", "ffmpeg", 1):
            check(len(got) == len(sound), "ogg", *how, len(got), "bytes of", len(sound))
            error = np.frombuffer(got, "<f4") - np.frombuffer(sound, "<f4")[:len(got) // 4]
            check(np.abs(error).max() < 0.2, "ogg", *how, np.abs(error).max())


# ---- what is refused

def archives():
    """The beginnings of files that Python writes."""
    text = b"gpuenv " * 1000
    made = {"gz": gzip.compress(text), "bz2": bz2.compress(text), "xz": lzma.compress(text),
            "lzma": lzma.compress(text, lzma.FORMAT_ALONE)}
    for ending, kind in (("zip", zipfile.ZIP_DEFLATED), ("npz", zipfile.ZIP_STORED)):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", kind) as file:
            file.writestr("a.npy", text)
        made[ending] = packed.getvalue()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        file.addfile(tarfile.TarInfo("a"), io.BytesIO())
    made["tar"] = packed.getvalue()
    return made


# the ending | how ffmpeg makes it of sound, or of a picture (v); or who else does | what it is said to be
REFUSED = """
m4a  | -c:a aac                       | an MP4 file
mp4  | -c:a aac                       | an MP4 file
mka  | -c:a flac                      | a Matroska file
webm | -c:a libopus                   | a Matroska file
wv   | -c:a wavpack                   | a WavPack file
flv  | -c:a aac                       | a Flash video
avi  | -c:a pcm_s16le                 | an AVI file
wma  | -c:a wmav2 -f asf              | a Windows Media file
aac  | -c:a aac -f adts               | an AAC file
tta  | -c:a tta                       | a TTA file
mpg  | -c:a mp2 -f mpeg               | an MPEG film
vob  | -c:a ac3 -f vob                | an MPEG film
sox  | sox                            | a SoX file
png  | v                              | a PNG picture
jpg  | v                              | a JPEG picture
gif  | v                              | a GIF picture
tiff | v                              | a TIFF picture
bmp  | v                              | a BMP picture
gz   | python                         | a gzip file
bz2  | python                         | a bzip2 file
xz   | python                         | an xz file
lzma | python                         | an lzma file
zip  | python                         | a zip file
npz  | python                         | a zip file
tar  | python                         | a tar archive
"""


def refuse_rows():
    made = archives()
    for line in REFUSED.strip().split("\n"):
        ending, how, words = (part.strip() for part in line.split("|"))
        path = pathlib.Path(f"r.{ending}")
        if how == "python":
            path.write_bytes(made[ending])
        elif how == "sox":
            tool("sox", "-D", "long.wav", path)
        elif how == "v":
            tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                 "testsrc=size=32x32:rate=1:duration=1", "-frames:v", 1, "-update", 1, path)
        else:
            tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "long.wav", *how.split(), path)
        for name, got in (("by its ending", gpuenv(path)), ("redirected", gpuenv(file=path)),
                          ("in a pipe", gpuenv(data=path.read_bytes()))):
            # By such an ending a file is unpacked, and what is in it is no samples.
            unpacked = name == "by its ending" and ending in ("gz", "bz2", "xz")
            due = "neither its first bytes" if unpacked else f" is {words}"
            check(got[0] == 2 and got[1] == b"" and due in got[2], ending, name, got[2])
            check(how in ("v", "python") or ": try ffmpeg" in got[2], ending, name, got[2])
    # Known endings of formats that are not written here.
    for ending in ("mp3", "opus", "m4a", "mp4", "mkv", "webm", "wma", "wv", "aac", "ac3", "gz", "zip", "npz", "mat", "h5", "cu8", "cs16"):
        status, _, said = gpuenv("-r", RATE, "-o", f"w.{ending}", data=b"")
        check(status == 1 and "cannot be written" in said, "-o", ending, said)
        check(not pathlib.Path(f"w.{ending}").exists(), "-o", ending, "left a file")


def refused_by_libsndfile():
    """More channels, or a higher rate, than the format can hold; Vorbis reports that late, and without frames not at
    all."""
    high = "its rate would be {} Hz, and {} holds {} Hz at most: write wav or caf"
    for kind, channels, rate, said in (("flac", 9, RATE, "flac cannot hold 9 channels of s24le at 48000 Hz"),
                                       ("ogg", 300, RATE, "libsndfile cannot write 300 channels at 48000 Hz as ogg"),
                                       ("flac", 1, 4294967295, high.format(4294967295, "flac", 655350)),
                                       ("flac", 1, 655351, high.format(655351, "flac", 655350)),
                                       ("ogg", 1, 200001, high.format(200001, "ogg", 200000))):
        for frames in (3, 0) if channels == 1 else (3,):
            got = gpuenv("-q", "-T", kind, "-c", channels, "-r", rate, "-o", "high", data=bytes(4 * frames * channels))
            check(got[0] == 2 and got[2] == f"gpuenv: high: {said}\n", kind, channels, rate, frames, *got)
            check(not pathlib.Path("high").exists(), kind, rate, "left a file")


def limits():
    with open("large.s8", "wb") as file:
        file.truncate(5 << 30)
    status, out, said = gpuenv("-r", RATE, "-T", "aiff:s8", "-o", "high", "large.s8")
    check(status == 1 and "ends at 4 GiB" in said, "aiff of 5 GiB:", status, said)
    check(not pathlib.Path("high").exists(), "aiff of 5 GiB left a file")
    for name in ("wav", "rf64", "w64", "au", "aiff", *["flac", "ogg"] * HAS_SNDFILE):
        status, out, said = gpuenv("-r", "5e9", "-T", name, "-o", "high", data=bytes(400))
        check(status != 0 and out == b"" and "Hz" in said, name, "5 GHz:", status, said)
        check(not pathlib.Path("high").exists(), name, "5 GHz left a file")


def named():
    """What an input is said to be, it must be: a pipe is looked at again when all of it is there."""
    sndfile.write("x.mat", "mat4", "s16", samples(1), 1, RATE)
    raw = pathlib.Path("x.mat").read_bytes()
    for name in ("flac", "ogg", *["mp3"] * HAS_SNDFILE):
        for status, out, said in gpuenv("-t", name, "x.mat"), gpuenv("-t", name, data=raw):
            told = "is a MAT4 file, not a" in said or "finds no MPEG frame" in said
            check(status == 2 and out == b"" and (told or not HAS_SNDFILE), "-t", name, said)
    for ending in ("wav", "w64", "aiff", "caf", "au", "npy", "flac", "ogg"):
        path = pathlib.Path(f"empty.{ending}")
        path.write_bytes(b"")
        for options in ([], ["--align", "causal"]):
            status, out, said = gpuenv(*options, path)
            check(status == 2 and out == b"" and "is empty, not a" in said, path, status, said)


def misread():
    """Headers that sox leaves twice where libsndfile would take the second for samples; headers of blocks, and a size of
    libsndfile that includes a byte too many; one channel behind the other."""
    tool("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "long.wav", "-ac", 1, "blocks.voc")
    sndfile.write("law.voc", "voc", "alaw", samples(1), 1, RATE)
    tool("sox", "-D", "2.wav", "stereo.8svx")
    for name in "blocks.voc", "law.voc", "stereo.8svx":
        for status, out, said in gpuenv(name), gpuenv(data=pathlib.Path(name).read_bytes()):
            check(status == 2 and out == b"" and "misreads: try ffmpeg" in said or not HAS_SNDFILE, name, status, said)
    for ending in ("mat4", "pvf", "sds"):
        raw = tool("sox", "-D", "1.wav", "-b", 16, "-t", ending, "-")
        status, out, said = gpuenv(data=raw)
        check(status == 2 and out == b"" and said != "", ending, "of sox's pipe:", status, said)
    for bits in ("s8", "s16", "s24"):
        sndfile.write("dump.sds", "sds", bits, samples(1), 1, RATE)
        for status, out, said in gpuenv("dump.sds"), gpuenv(data=pathlib.Path("dump.sds").read_bytes()):
            check(status == 2 and out == b"" and "is an SDS file, which cannot be read here: try ffmpeg" in said, bits, said)
    for order, channels in itertools.product(("little", "big"), (1, 2)):
        sndfile.write("wide.paf", "paf", "s24", samples(channels), channels, RATE, order)
        for status, out, said in gpuenv("wide.paf"), gpuenv(data=pathlib.Path("wide.paf").read_bytes()):
            check(status == 2 and out == b"" and "a PAF file of 24 bits, which cannot be read here\n" in said, order, said)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for count in (1, 2):
        sndfile.write(f"{count}.wav", "wav", "s16", samples(count), count, RATE)
    sndfile.write("long.wav", "wav", "s16", samples(2) * 20, 2, RATE)
    for row in READ.strip().split("\n"):
        read_row(row)
    in_the_units_of_the_file()
    late()
    for row in WRITTEN.strip().split("\n"):
        write_row(row)
    same_as_libsndfile()
    in_pipes()
    no_frames()
    compressed()
    if HAS_SNDFILE:
        refused_by_libsndfile()
    digits()
    refuse_rows()
    limits()
    misread()
    named()
    os.chdir("/")
finish()
