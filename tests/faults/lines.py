# SPDX-License-Identifier: MIT
"""The command lines whose calls fail one by one, and the inputs that they read.

A line is "WORDS", with "IN | " before them for standard input, and " > file" behind them where standard output is no
pipe. Words that name a file in the inputs' folder begin with "@"; all other files are in the folder of the run.
"""

import array
import random
import shutil
import struct
import subprocess

FRAMES = 3000
LARGE_FRAMES = 1_300_000
RATE = 48000


def lines_of(text):
    """[(input of standard input or None, words, where standard output goes: "pipe" or "file")]"""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            stdin, _, words = line.rpartition(" | ")
            words, _, out = words.partition(" > ")
            lines.append((stdin or None, words, out or "pipe"))
    return lines


QUICK = lines_of("""\
noise.f32 | -w 64
-w 64 @noise.f32 -o out.f32
-w 64 @noise.flac -o out.flac --report report.json --stats stats
-w 1000 --hop 100 --threads 4 @large.f32 -o out.f32
noise.ogg | -w 64 -T csv -o out.csv
-w 64 --out-dir out --threads 1 --recursive @folder
times.csv | -t csv --time t --zoom 1d --time-zone local""")

# Texts that are composed in memory: every allocation fails once.
TEXTS = lines_of("""\
columns.csv | -t csv -w 3 -T svg --threads 1
columns.csv | -t csv -w 3 -T csv --threads 1""")

FULL = QUICK + lines_of("""\
# pipes and files
large.f32 | -w 64
noise.f32 | -w 9 --align center --edge nan --nan omit > file
-w 64 @large.f32 -v
-w 64 --hop 7 -r 48000 @noise.f32 -T wav > file
-w 4000 --align causal @noise.f32 -o out.s16
-w 8 --skip 100 --frames 1000 -t s16 -c 2 @noise.f32 -o out.f64
noise.f32 | -w 64 -o /dev/fd/1
-w 5 --algorithm lemire @noise.f32
# formats of our own
noise.wav | -w 64 -T wav
-w 64 @noise.wav -o out.wav
-w 64 @noise.rf64 -o out.rf64
noise.w64 | -w 64 -T w64 -o out.w64
-w 64 @noise.au -o out.au
noise.caf | -w 64 -T caf
-w 64 @noise.npy -o out.npy
noise.npy | -w 64 -T npy
-w 64 @noise.aiff -o out.aiff
# libsndfile and libmpg123
noise.flac | -w 64 -T flac
-w 64 @noise.ogg -o out.ogg
noise.aiff | -w 64 -T aiff
-w 64 @noise.mp3 -o out.f32
noise.mp3 | -w 64 -T csv
-w 64 @noise.voc
# text and pictures
-w 64 @noise.csv -o out.csv
noise.csv | -t csv -w 64 -T tsv
--time t --zoom 1s --stats stats --stats-every 3s @times.csv -o out.csv
--time t --zoom 1mo --time-zone Europe/Berlin @times.csv -o out.csv
times.csv | -t csv --time t -w 2 --hop 10s --bad-lines skip -T txt
--time t -w 10min --align center @times.csv -o out.csv
--time t --by k --late 1min --zoom 1min @series.csv -o out.csv
series.csv | --time t --by k -w 1min -T csv
--zoom 64 @noise.wav -o out.dat
--zoom 64 @noise.wav -T json
@noise.wav -w 16 -o out.svg
noise.f32 | --zoom 16 -r 48000 -T svg
--zoom 100 --emit min,rms,count @noise.f32 -T npy -o out.npy
--zoom 5000 --emit mean --threads 4 @large.f32 -o out.f32
--time t --zoom 1s --emit max,mean,count --overall @times.csv -o out.csv
# compressed files
-w 64 @noise.csv.gz -o out.csv
-w 64 @noise.flac.gz
-w 64 --frames 100 @large.f32.gz
-w 64 --accept-damaged @cut.wav -o out.f32
# statistics and reports
--emit none --stats - --stats-every 100 @noise.wav
noise.f32 | -w 64 --stats stats --stats-format text -o out.f32
-w 64 @noise.f32 -o out.f32 --report report.json
# pieces and parts
-w 1000 --threads 4 @large.f32 -o out.f32 --stats stats --stats-every 100000
-w 1000 --hop 1000 --threads 4 @large.f32
-w 1000 --threads 4 @large.flac -o /dev/null --report report.json
--emit none --stats - --threads 4 @large.f32
-w 64 --shard 2/3 @noise.f32 -o out.f32
-w 1000 --shard 1/2 --threads 4 @large.f32 -o out.f32 --stats stats --stats-every 9999
# batches
-w 64 --out-dir out --threads 1 @noise.f32 @one.wav @two.au
-w 64 -r 48000 --out-dir out --name {name}-{ext}.wav --stats stats --report report.json @one.wav @large.f32 @noise.npy
--emit none --stats - --stats-format tsv @noise.f32 @noise.wav
names | -w 64 --out-dir out --skip-existing --files-from - @one.wav @two.au""")

# For the program with two emulated devices. Small chunks, so that a device is ready before slow cores have done all
# the work.
EMULATED_FEW = lines_of("""\
# a device beside the cores
-w 64 --device auto --threads 2 --isa scalar --chunk 2000 -o out.f32 @half.f32""")

EMULATED = EMULATED_FEW + lines_of("""\
-w 64 --device auto --threads 2 --isa scalar --chunk 2000 -t s16 --hop 9 @half.f32 -T wav -r 8000 -o out.wav --report report.json
-w 64 --device auto --threads 2 --isa scalar --chunk 2000 --out-dir out @half.f32 @noise.wav @quarter.s16
# devices alone
-w 64 --device cuda --chunk 1000 @noise.f32 -o out.f32
noise.f32 | --emit none --stats - --stats-every 700 --device cuda
noise.f32 | --zoom 1500 --emit rms,max --device cuda --chunk 4000
# pages given away to a pipe
-w 64 --device cuda --chunk 270000 --threads 3 @half.f32
# the second file reuses the resources of the first, the third is for the CPU
--emit none --stats - --stats-every 9000 --frames 263000 --device cuda --threads 1 @large.f32 @large.flac @noise.f32
# two of them
-w 64 --device cuda:all --threads 2 --chunk 9000 -o out.f32 @half.f32""")


def name_of(line):
    stdin, words, out = line
    before = f"{stdin} | " if stdin else ""
    return f"{before}gpuenv {words}{' > file' if out == 'file' else ''}"


def write_voc(path, samples):
    data = bytes(int(127 * value) + 128 for value in samples)
    sound = struct.pack("<BB", 256 - 1000000 // 8000, 0) + data
    path.write_bytes(b"Creative Voice File\x1a" + struct.pack("<HHH", 26, 0x10a, 0x1129) + b"\1"
                     + struct.pack("<I", len(sound))[:3] + sound + b"\0")


def build(program, folder):
    """Writes the inputs; those that cannot be made on this machine are missing."""
    draw = random.Random(1)
    noise = array.array("f", [draw.uniform(-0.9, 0.9) for _ in range(FRAMES)])
    large = (noise + noise[::7]) * (LARGE_FRAMES // len(noise))
    (folder / "noise.f32").write_bytes(noise.tobytes())
    (folder / "large.f32").write_bytes(large.tobytes())
    (folder / "half.f32").write_bytes(large[:len(large) // 2].tobytes())
    (folder / "quarter.s16").write_bytes(large[:len(large) // 4].tobytes())
    (folder / "names").write_text(f"{folder}/noise.wav\n{folder}/large.f32\n")
    (folder / "times.csv").write_text("t;v\ns;hPa\n" + "".join(f"{10 * i};{i % 7}\n" for i in range(FRAMES)))
    (folder / "series.csv").write_text("k,t,v\n" + "".join(f"{i * i % 40},{10 * i},{i % 7}\n" for i in range(FRAMES)))
    rows = "".join(f"{value},{at % 7},{at * at}\n" for at, value in enumerate(noise))
    (folder / "columns.csv").write_text("a,b,c\n" + rows)
    write_voc(folder / "noise.voc", noise)
    convert = [program, "-q", "-w", "1", "--emit", "max", "-r", str(RATE)]
    for ending in ("wav", "rf64", "w64", "au", "caf", "npy", "aiff", "ogg", "csv", "flac"):
        subprocess.run([*convert, folder / "noise.f32", "-o", folder / f"noise.{ending}"],
                       stderr=subprocess.DEVNULL, timeout=60)
    subprocess.run([*convert, folder / "large.f32", "-o", folder / "large.flac"],
                   stderr=subprocess.DEVNULL, timeout=60)
    (folder / "cut.wav").write_bytes((folder / "noise.wav").read_bytes()[:-1000])
    for name in ("noise.csv", "noise.flac", "large.f32"):
        if (folder / name).exists() and shutil.which("gzip"):
            subprocess.run(["gzip", "-k", folder / name], timeout=60)
    shutil.copy(folder / "noise.wav", folder / "one.wav")
    shutil.copy(folder / "noise.au", folder / "two.au")
    (folder / "folder").mkdir()
    shutil.copy(folder / "noise.au", folder / "folder" / "three.au")
    shutil.copy(folder / "noise.wav", folder / "folder" / "four.wav")
    if shutil.which("ffmpeg"):
        subprocess.run(["ffmpeg", "-v", "quiet", "-y", "-i", folder / "noise.wav",
                        folder / "noise.mp3"], stdin=subprocess.DEVNULL, timeout=60)
