#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Ogg: ogg.py PROGRAM

Opus, through libopusfile, has the samples of opusdec, from a file and from a pipe, whose bytes come in any pieces.
Channels stand in WAV's order, which ffmpeg knows. Pages that are missing, damaged, or of another stream are told; all
that can be decoded comes."""
import array
import functools
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(1, sys.path[0] + "/..")
import outcomes
from harness import check, cut, ffmpeg, finish, gpuenv, need, outcome_of, skip, tool

chance = random.Random(48000)
FRAMES = 100_000

need("sox", "ffmpeg", "oggenc", "opusenc", "opusdec")


def run(data, name):
    return outcome_of(data, folder / ("run-" + name), "-T", "f32")


is_whole, is_told = functools.partial(outcomes.is_whole, run), functools.partial(outcomes.is_told, run)


def is_remarked(data, name, words, due=None):
    got, status, said = run(data, name)
    check(status == 0 and words in said and said.count("\n") == 0, name, "exit", status, said)
    check(due is None or got == due, name, words, len(got) // 4, "samples")
    return got


# ---- pages


def crc(page):
    total = 0
    for byte in page:
        total ^= byte << 24
        for _ in range(8):
            total = total << 1 ^ (0x04C11DB7 if total & 0x80000000 else 0)
        total &= 0xFFFFFFFF
    return total


def pages_of(data):
    pages = []
    while data:
        size = 27 + data[26] + sum(data[27 : 27 + data[26]])
        pages.append(data[:size])
        data = data[size:]
    return pages


def headers_of(pages):
    """How many pages of headers come before the sound."""
    return next(i for i, page in enumerate(pages) if page[6:14] != bytes(8))


def summed(page):
    """The page with its checksum."""
    page = page[:22] + bytes(4) + page[26:]
    return page[:22] + struct.pack("<I", crc(page)) + page[26:]


def numbered(page, number):
    return summed(page[:18] + struct.pack("<I", number) + page[22:])


def of_stream(data, serial):
    """The same file as a stream of another number."""
    return b"".join(summed(page[:14] + struct.pack("<I", serial) + page[18:]) for page in pages_of(data))


def segments_of(page):
    """Their sizes, and their bytes."""
    return page[27:27 + page[26]], page[27 + page[26]:]


def repaged(page, sizes, body, flags=0):
    return summed(page[:5] + bytes([flags]) + page[6:26] + bytes([len(sizes)]) + sizes + body)


def check_shared_page(name, pages, whole):
    """The sound begins in the page in which the headers end; libsndfile and libvorbisfile drop it."""
    (first, head), (second, sound) = segments_of(pages[1]), segments_of(pages[2])
    for moved in (1, len(first) // 2, len(first) - 1):
        at = sum(first[:-moved])
        changed = [pages[0], repaged(pages[1], first[:-moved], head[:at]),
                   repaged(pages[2], first[-moved:] + second, head[at:] + sound, 1), *pages[3:]]
        got, status, said = run(b"".join(changed), name)
        check(status == 0 and not said and got == whole, name, moved, "segments", status, len(got) // 4, said)
    # All headers in one page, and the page after it has room, or not.
    changed = [pages[0], repaged(pages[1], first + second, head + sound),
               *[numbered(page, 2 + k) for k, page in enumerate(pages[3:])]]
    got, status, said = run(b"".join(changed), name)
    check(status == 0 and not said and got == whole, name, "one page of headers", status, len(got) // 4, said)
    got = is_told(b"".join(changed[:2]), name, "its sound begins in the Ogg page of its headers, at byte")
    check(len(got) < len(whole), name, "one page of headers")


def check_pages():
    """Of Vorbis and of Opus."""
    made = {}
    for name, codec in (("vorbis.ogg", "libvorbis"), ("opus.ogg", "libopus")):
        ffmpeg("-i", long_wav, "-c:a", codec, "-page_duration", "200000", folder / name)
        made[name] = is_whole(folder / name, FRAMES)
    sox = folder / "sox.ogg"
    tool("sox", "-D", long_wav, sox)
    is_whole(sox, FRAMES)
    ffmpeg("-ss", "0.7", "-i", folder / "vorbis.ogg", "-c", "copy", folder / "later.ogg")
    is_whole(folder / "later.ogg")
    # Times that a muxer has rounded to milliseconds.
    ffmpeg("-i", folder / "vorbis.ogg", "-c", "copy", folder / "between.mkv")
    ffmpeg("-i", folder / "between.mkv", "-c", "copy", folder / "rounded.ogg")
    is_whole(folder / "rounded.ogg")
    ffmpeg("-i", long_wav, "-i", long_wav, "-map", "0", "-map", "1", "-c:a:0", "libvorbis", "-c:a:1", "libopus",
           folder / "two.ogg")
    is_whole(folder / "two.ogg", FRAMES)
    for name, (data, whole) in made.items():
        pages = pages_of(data)
        check(len(pages) > 8, name, "has few pages")
        headers = headers_of(pages)
        for i in (headers + 1, 5, len(pages) - 2):
            left = b"".join(pages[:i] + pages[i + 1 :])
            got = is_told(left, name, "Ogg pages are missing", what=f"without page {i}")
            check(len(got) < len(whole), name, "nothing is missing")
            flipped = bytearray(data)
            flipped[sum(map(len, pages[:i])) + len(pages[i]) // 2] ^= 8
            is_told(bytes(flipped), name, "has a wrong checksum", what=f"a bit of page {i}")
        # Renumbered, as if it had never been there: only the times show it.
        left = pages[:5] + [numbered(page, 5 + k) for k, page in enumerate(pages[6:])]
        is_told(b"".join(left), name, "last Ogg page counts" if "vorbis" in name else "the times of its Ogg pages jump",
                what="numbered anew")
        # A recording that was stopped: no page says that it is the last one.
        endless = pages[:-1] + [summed(pages[-1][:5] + b"\0" + pages[-1][6:])]
        if "vorbis" in name:
            check_shared_page(name, pages, whole)
            # Opus without that flag may not end inside a packet.
            got = is_remarked(b"".join(endless), name, "its Ogg stream has no end")
            check(got[:len(whole)] == whole, name, "without the flag", len(got) // 4)
        got = is_remarked(b"".join(pages[:-1]), name, "its Ogg stream has no end")
        check(0 < len(got) < len(whole), name, "less a page", len(got) // 4)
        for less in (1, len(pages[-1]) // 2, len(pages[-1]) - 1, len(pages[-1]) - 10):
            is_told(data[:-less], name, "is cut off", what=f"less {less} bytes")
        is_remarked(data + b"a remark", name, "8 bytes after the last Ogg page were not used", whole)
        is_told(data + bytes(5000), name, "5000 bytes that are not Ogg pages follow", whole)
        is_told(b"".join(endless) + bytes(100), name, "no Ogg page begins at")
        check_chains(name, data, whole)
        # A broadcast that one joins; a stop of the recording; a gap later.
        middle = pages[:headers] + pages[headers + 3:]
        got = is_remarked(b"".join(middle), name, "its Ogg stream was joined in the middle: all of its pages were used")
        check(0 < len(got) < len(whole), name, "joined in the middle", len(got) // 4)
        is_remarked(b"".join(middle[:-1]), name, "was joined in the middle, and has no end")
        is_told(b"".join(middle[:-3] + middle[-2:]), name, "has gaps: Ogg pages are missing")


def check_chains(name, data, whole):
    """Links of the same rate and number of channels are one stream."""
    for links in ([data, data], [data, of_stream(data, 7), of_stream(data, 8)]):
        got, status, said = run(b"".join(links), name)
        check(status == 0 and not said and got == len(links) * whole, name, "a chain:", status, len(got) // 4, said)
    second = pages_of(of_stream(data, 7))
    headers = headers_of(second)
    joined = b"".join(second[:headers] + second[headers + 1:])
    got = is_remarked(data + joined, name, "was joined in the middle")
    check(got.startswith(whole), name, "joined in its second link")
    is_told(data + b"".join(second[:-2] + second[-1:]), name, "has gaps: Ogg pages are missing")
    for what, options in (("channels", ["-ac", "2"]), ("codec", ["-c:a", "flac"])):
        ffmpeg("-i", long_wav, "-c:a", "libopus" if "opus" in name else "libvorbis", *options, folder / "other.ogg")
        is_told(data + (folder / "other.ogg").read_bytes(), name, "another Ogg stream follows", whole, "another " + what)


# ---- samples


def opusdec(path):
    """The samples, at 48 kHz, and the number of channels."""
    tool("opusdec", "--quiet", "--float", "--rate", "48000", path, folder / "decoded.wav")
    data = (folder / "decoded.wav").read_bytes()
    return data[data.index(b"data") + 8:], struct.unpack("<H", data[22:24])[0]


def of_pipe(data, largest):
    """The bytes come in pieces of 1 to `largest`, and there is no temporary file."""
    pieces = list(cut(data, iter(lambda: chance.randint(1, largest), 0)))
    return gpuenv("-w", 1, "--emit", "max", "-T", "f32", data=pieces, env={**os.environ, "TMPDIR": "/nowhere"})


def make_sound(channels):
    """Of which each channel has a frequency of its own, that a channel for the bass has, too."""
    path = folder / f"{channels}.wav"
    sines = [word for i in range(channels) for word in ("sine", str(40 + 15 * i))]
    tool("sox", "-D", "-R", "-r", "48000", "-n", "-b", "16", "-c", channels, path, "synth", f"{FRAMES}s", *sines,
         "gain", "-6")
    return path


def gained(data, gain):
    """With another gain in the header, in 256ths of a decibel."""
    pages = pages_of(data)
    at = pages[0].index(b"OpusHead") + 16
    return b"".join([summed(pages[0][:at] + struct.pack("<h", gain) + pages[0][at + 2:]), *pages[1:]])


def make_opus():
    """Files of other programs, by name."""
    made = {}
    for channels in range(1, 9):
        tool("opusenc", "--quiet", "--serial", channels, make_sound(channels), folder / f"{channels}.opus")
    for options in ("--framesize 2.5", "--framesize 60", "--bitrate 12 --downmix-mono"):
        name = "opusenc " + options
        tool("opusenc", "--quiet", *options.split(), folder / "2.wav", folder / f"{name}.opus")
    tool("sox", "-D", folder / "2.wav", "-r", "44100", folder / "44.wav")
    tool("opusenc", "--quiet", folder / "44.wav", folder / "44.opus")
    ffmpeg("-i", folder / "2.wav", "-c:a", "libopus", folder / "2.webm")
    ffmpeg("-i", folder / "2.webm", "-c", "copy", folder / "webm.opus")
    ffmpeg("-i", folder / "6.wav", "-c:a", "libopus", "-mapping_family", "1", folder / "ffmpeg 6.opus")
    for path in folder.glob("*.opus"):
        made[path.name] = path.read_bytes()
    made |= {f"gain {gain}.opus": gained(made["2.opus"], gain) for gain in (-1500, 700)}
    links = [made["2.opus"], made["webm.opus"], made["44.opus"], made["gain 700.opus"]]
    made["chain.opus"] = b"".join(of_stream(link, serial) for serial, link in enumerate(links))
    made["chain of 6.opus"] = made["6.opus"] + of_stream(made["ffmpeg 6.opus"], 11)
    for name in ("2.opus", "webm.opus"):
        pages = pages_of(made[name])
        made["joined " + name] = b"".join(pages[:2] + pages[3:])
    return made


def check_opus(made):
    for name, data in made.items():
        (folder / name).write_bytes(data)
        due, channels = opusdec(folder / name)
        got, status, said = run(data, "x.opus")
        check(got == due and status == 0, name, len(got), "bytes, by opusdec", len(due), status, said)
        check(bool(said) == ("joined" in name), name, said)
        for largest in (300, 20_000):
            done = of_pipe(data, largest)
            check(done.out == due and done.status == 0, name, "from a pipe:", len(done.out), done)
        some = gpuenv("-w", 1, "--emit", "max", "-T", "f32", "--skip", 7001, "--frames", 9000, folder / name).out
        frame = 4 * channels
        check(some == due[7001 * frame : 16001 * frame], name, "a part of it", len(some))
    data = made["webm.opus"]
    check(gpuenv("-w", 1, "-t", "opus", data=data).out == gpuenv("-w", 1, "-t", "ogg", data=data).out != b"", "-t")


def check_channels():
    """Vorbis and Opus have their own order of 3.0 and of 5.0 to 7.1; here it is that of the WAV, in files of others and
    of ours."""
    for channels in range(3, 9):
        wav = folder / f"{channels}.wav"
        ours = folder / f"ours {channels}.ogg"
        done = gpuenv("-w", 1, "--emit", "max", wav, "-o", ours)
        check(done.status == 0 and not done.said, done)
        tool("oggenc", "-Q", wav, "-o", folder / f"{channels}.ogg")
        for path in (folder / f"{channels}.ogg", folder / f"{channels}.opus", ours):
            due = array.array("f", tool("ffmpeg", "-v", "error", "-nostdin", "-i", path, "-f", "f32le", "-"))
            got = array.array("f", run(path.read_bytes(), "x.ogg")[0])
            check(len(got) == len(due) == channels * FRAMES, path.name, len(got), "samples, by ffmpeg", len(due))
            check(max((abs(a - b) for a, b in zip(got, due)), default=1) < 2e-3, path.name,
                  "in another order than ffmpeg's")
        back = array.array("f", run(ours.read_bytes(), "x.ogg")[0])
        sound = array.array("h", wav.read_bytes()[-2 * channels * FRAMES :])
        error = [max(abs(a - b / 32768) for a, b in zip(back[i::channels], sound[i::channels])) for i in range(channels)]
        check(max(error) < 0.2, "written and read again:", channels, error)


def check_at_once(data):
    """The frames of the first pages come before the rest does."""
    reader, writer = os.pipe()
    pages = pages_of(data)
    with subprocess.Popen([sys.argv[1], "-w", "1", "--emit", "max"], stdin=reader, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        os.close(reader)
        os.write(writer, b"".join(pages[:4]))
        due = struct.unpack("<q", pages[3][6:14])[0] - 312
        timer = threading.Timer(20, process.kill)
        timer.start()
        got = process.stdout.read(4 * due)
        check(len(got) == 4 * due, "before the end:", len(got), "bytes of", 4 * due)
        os.close(writer)
        process.stdout.read()
        timer.cancel()


def check_refused(data):
    """What libopusfile cannot read, and a system without it."""
    pages = pages_of(data)
    head = pages[0].index(b"OpusHead")
    for at, byte, words in ((8, 16, "its version is not known"), (18, 255, "its channels are not assigned to loudspeakers"),
                            (9, 0, "its headers are damaged")):
        page = pages[0][: head + at] + bytes([byte]) + pages[0][head + at + 1 :]
        is_told(summed(page) + b"".join(pages[1:]), "x.opus", f"is an Ogg file that libopusfile cannot read: {words}: try "
                "ffmpeg", b"")
    for size in (len(pages[0]) + 10, len(pages[0] + pages[1]) + 10):
        is_told(data[:size], "x.opus", "is cut off: it ends inside the Ogg page at byte", b"", size)
    (folder / "libopusfile.so.0").write_text("no library\n")
    env = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    done = gpuenv("-w", 1, folder / "2.opus", env=env)
    check(done.out == b"" and done.status == 2 and "2.opus: libopusfile is needed (Debian: libopusfile0): " in done.said,
          "without libopusfile:", done)
    check("libopusfile: not found" in gpuenv("--version", env=env).out.decode(), "its version")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    long_wav = folder / "long.wav"
    tool("sox", "-D", "-R", "-n", "-r", "48000", "-b", "16", "-c", "1", long_wav, "synth", f"{FRAMES}s", "pluck", "A3",
         "synth", "pinknoise", "mix", "gain", "-3")
    versions = gpuenv("--version").out.decode()
    if "libopusfile: not found" in versions or "libsndfile: not" in versions:
        skip("no libopusfile, or no libsndfile")
    check_pages()
    opus_files = make_opus()
    check_opus(opus_files)
    check_channels()
    check_at_once((folder / "opus.ogg").read_bytes())
    check_refused(opus_files["2.opus"])
finish()
