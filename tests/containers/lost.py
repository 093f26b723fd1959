#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Nothing is lost silently: lost.py PROGRAM

Compressed files with a byte or a bit missing, and files with data after them (Ogg: ogg.py). All that can be
decoded is written, then there is an error; whole files of any writer give no message. The sweep at the
end damages small files at many places: an error, or all frames; for an MP3 file their number."""
import concurrent.futures
import functools
import pathlib
import random
import struct
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import outcomes
from harness import check, ffmpeg, finish, gpuenv, need, outcome_of, skip, tool

chance = random.Random(20000)
FRAMES = 100_000
PLACES = 60  # of the sweep, in each file

need("sox", "ffmpeg", "flac")


def run(data, name):
    return outcome_of(data, folder / name)


is_whole, is_told = functools.partial(outcomes.is_whole, run), functools.partial(outcomes.is_told, run)

# ---- 8SVX and 16SV


def check_headers():
    """Truncated inside the header: libsndfile's parser has to terminate."""
    header = b"VHDR" + struct.pack(">IIIIHBBI", 20, 3000, 0, 0, 8000, 1, 0, 65535) + b"NAME" + struct.pack(">I", 10)
    for kind, step in (b"16SV", 1), (b"8SVX", 5):
        data = b"FORM" + struct.pack(">I", 6096) + kind + header + b"a name" + bytes(4) + b"BODY" + struct.pack(">I", 6000)
        for size in range(0, len(data), step):
            got, status, said = run(data[:size], "cut.svx")
            check(status == 2 and not got or size < 12, kind, "cut at", size, status, said)


# ---- FLAC


def check_flac():
    tag = b"ID3\3\0\0\0\0\1\0" + bytes(128)
    path = folder / "x.flac"
    tool("flac", "-s", "-f", "-o", path, long_wav)
    data, whole = is_whole(path, FRAMES)
    for size in (100, 4000):
        got, status, said = run(data + chance.randbytes(size), "x.flac")
        check(status == 0 and got == whole, "FLAC and", size, said)
    for size in (4500, 5000, 6000, 8000, 12_000, 200_000):
        is_told(data + chance.randbytes(size), "x.flac", "its header counts only", whole, f"and {size}")
    # Behind a tag, and so short that all of it is searched for another file.
    ffmpeg("-i", short_wav, folder / "tag.flac")
    short, frames = is_whole(folder / "tag.flac", 20_000)
    check(len(short) < 256 * 1024, "a short FLAC")
    got, status, said = run(tag + short, "tag.flac")
    check(status == 0 and got == frames and not said, "FLAC behind a tag", status, said)
    is_told(tag + short + short, "tag.flac", "another FLAC file follows the first", frames)
    # Frames of another rate, as `ffmpeg -f concat -c copy` writes them; the number of frames is not known.
    for rate in (44_100, 12_345, 655_350, 49_000):
        tool("sox", "-D", "-R", "-r", str(rate), "-n", folder / "rate.wav", "synth", "20000s", "sine", "1000")
        tool("flac", "-s", "-f", "--no-padding", "--no-seektable", "--lax", "-o", folder / "rate.flac", folder / "rate.wav")
        other = (folder / "rate.flac").read_bytes()
        other = other[other.index(b"\xff\xf8"):]
        open_end = bytearray(short)
        open_end[21] &= 0xF0
        open_end[22:42] = bytes(20)
        got = is_told(bytes(open_end) + other, "rate.flac", f"its rate changes from 48000 to {rate} Hz at byte {len(short)}")
        check(got.startswith(frames) and len(got) >= 4 * 40_000, "two rates", len(got) // 4)
    # Never zeros instead of damaged frames.
    for place in range(len(data) // 8, len(data), len(data) // 8):
        flipped = bytearray(data)
        flipped[place] ^= 16
        got = is_told(bytes(flipped), "x.flac", "after frame", what=f"a bit at {place}")
        check(whole.startswith(got), "FLAC,", place, "wrong frames")


# ---- anywhere


def sweep(name, path):
    """Counts of the outcomes."""
    data = path.read_bytes()
    whole, _, _ = run(data, "sweep-" + path.name)
    places = [(chance.randrange(len(data)), chance.randrange(8), chance.random() < 0.5) for _ in range(PLACES)]

    def damage(index):
        at, bit, flip = places[index]
        changed = data[:at] + (bytes([data[at] ^ 1 << bit]) if flip else b"") + data[at + 1 :]
        return run(changed, f"sweep{index}-{path.name}")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(damage, range(PLACES)))
    # A file that is damaged from its first byte on is not read as raw samples.
    for at in range(4) if name != "MP3" else ():
        is_told(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], path.name, "libsndfile cannot read", b"", f"byte {at}")
    counts = {"told": 0, "same": 0, "of the same length": 0}
    for (at, bit, flip), (got, status, said) in zip(places, done):
        where = (name, f"bit {bit}" if flip else "removed", "at", at)
        # Ogg has a checksum for each page, FLAC for each block. An MP3 frame has none: it may pass for one
        # that is twice as long; and the header that counts the frames has none that libmpg123 looks at.
        less = 1152 if name == "MP3" and flip else 0
        check(bool(said) or abs(len(got) - len(whole)) <= 4 * less, *where,
              status, len(got) // 4, "of", len(whole) // 4, said)
        check(status == 2 or name != "Ogg", *where, "not told")
        # Before the first frame of an MP3 file, a warning tells it.
        check(status == 2 or flip or name == "MP3" and "its first MPEG frame" in said, *where, "not told")
        check(name != "FLAC" or whole.startswith(got), *where, "wrong frames")
        counts["told" if status == 2 else "same" if got == whole else "of the same length"] += 1
    print(f"{path.name:12} {len(data):6} bytes:", ", ".join(f"{count} {key}" for key, count in counts.items()))


def sweep_all():
    chance.seed(20000)
    for name, file, arguments in (("Ogg", "v.ogg", ["-c:a", "libvorbis"]), ("Ogg", "o.opus", ["-c:a", "libopus"]),
                                  ("MP3", "counted.mp3", []), ("MP3", "plain.mp3", ["-write_xing", "0", "-id3v2_version", "0"]),
                                  ("FLAC", "f.flac", [])):
        ffmpeg("-i", short_wav, "-bitexact", *arguments, folder / file)
        sweep(name, folder / file)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    long_wav, short_wav = folder / "long.wav", folder / "short.wav"
    tool("sox", "-D", "-R", "-n", "-r", "48000", "-b", "16", "-c", "1", long_wav, "synth", f"{FRAMES}s", "pluck", "A3",
         "synth", "pinknoise", "mix", "gain", "-3")
    tool("sox", "-D", long_wav, short_wav, "trim", "0", "20000s")
    if "libsndfile" in gpuenv("-w", 1, "-T", "flac", "-r", 1).said:
        skip("built without libsndfile")
    check_headers()
    check_flac()
    sweep_all()
finish()
