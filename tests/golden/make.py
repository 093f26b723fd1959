#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the small files of this folder, which look like those that programs write, and like those that break
programs: make.py [FOLDER]

They are committed; this script says how they came to be, and why each is there. containers/golden.py reads them, and
has them made again: run this after a change, and look at what `git diff` says.
"""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)

RATE = 8000
SAMPLES = [0, 16384, -16384, 32767, -32768, 1, -1, 8192, -8192, 256, -256, 12345]
S16 = struct.pack("<12h", *SAMPLES)
PLANES = SAMPLES[0::2] + SAMPLES[1::2]
S16_BIG = struct.pack(">12h", *SAMPLES)
# Odd numbers of bytes, and every byte another one.
S24 = b"".join(struct.pack("<i", s * 256)[:3] for s in SAMPLES[:11])
F32 = struct.pack("<12f", *[s / 32768 for s in SAMPLES])


def save(name, data, why):
    assert why
    (folder / name).write_bytes(data)


def chunk(name, data, size=None, pad=True):
    padding = b"\0" if pad and len(data) % 2 else b""
    return name + struct.pack("<I", len(data) if size is None else size) + data + padding


def fmt(codec=1, channels=1, bits=16, rate=RATE, block=None):
    block = channels * ((bits + 7) // 8) if block is None else block
    return struct.pack("<HHIIHH", codec, channels, rate, rate * block & 0xFFFFFFFF, block, bits)


def riff(*chunks, name=b"RIFF", size=None):
    body = b"WAVE" + b"".join(chunks)
    return name + struct.pack("<I", len(body) if size is None else size) + body


def extensible(codec, channels, bits, container):
    guid = struct.pack("<H", codec) + bytes.fromhex("000000001000800000aa00389b71")
    return fmt(0xFFFE, channels, container) + struct.pack("<HHI", 22, bits, 0) + guid


def ds64(riff_size, data_size, frames):
    return chunk(b"ds64", struct.pack("<QQQI", riff_size, data_size, frames, 0))


W64_TAIL = bytes.fromhex("f3acd3118cd100c04f8edb8a")
W64_RIFF = b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000")


def w64_chunk(name, data, size=None):
    size = 24 + len(data) if size is None else size
    return name + W64_TAIL + struct.pack("<Q", size) + data + b"\0" * (-len(data) % 8)


def w64(*chunks, size=None):
    body = b"wave" + W64_TAIL + b"".join(chunks)
    return W64_RIFF + struct.pack("<Q", 24 + len(body) if size is None else size) + body


def big_chunk(name, data, size=None):
    padding = b"\0" if len(data) % 2 else b""
    return name + struct.pack(">I", len(data) if size is None else size) + data + padding


def comm(frames, bits=16, channels=1, more=b""):
    rate = bytes.fromhex("400bfa00000000000000")  # 8000 as an 80-bit number
    return big_chunk(b"COMM", struct.pack(">hIh", channels, frames, bits) + rate + more)


def ssnd(data, offset=0, size=None):
    return big_chunk(b"SSND", struct.pack(">II", offset, 0) + b"\0" * offset + data, size)


def form(*chunks, kind=b"AIFF", size=None):
    body = kind + b"".join(chunks)
    return b"FORM" + struct.pack(">I", len(body) if size is None else size) + body


def caf_chunk(name, data, size=None):
    return name + struct.pack(">q", len(data) if size is None else size) + data


def desc(flags=2, bits=16, channels=1, codec=b"lpcm"):
    return caf_chunk(b"desc", struct.pack(">d4sIIIII", RATE, codec, flags, channels * bits // 8, 1,
                                          channels, bits))


def caf(*chunks):
    return b"caff\0\1\0\0" + b"".join(chunks)


def au(data, codec=3, size=None, offset=24, channels=1, name=b".snd", order=">"):
    size = len(data) if size is None else size
    return name + struct.pack(order + "IIIII", offset, size, codec, RATE, channels) + data


def npy(text, data, version=1):
    text = text.encode()
    text += b" " * (-(10 + len(text) + 1) % 16) + b"\n"
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


DATA = chunk(b"data", S16)
FMT = chunk(b"fmt ", fmt())
WAV = riff(FMT, DATA)

# ---- WAV
save("good-plain.wav", WAV, "the form that every program reads")
save("good-rifx.wav", b"RIFX" + struct.pack(">I", 60) + b"WAVE"
     + b"fmt " + struct.pack(">IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16)
     + b"data" + struct.pack(">I", 24) + S16_BIG, "big-endian")
save("good-rifx-chunk-behind.wav", b"RIFX" + struct.pack(">I", 60 + 8 + 4090) + b"WAVE"
     + b"fmt " + struct.pack(">IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16)
     + b"data" + struct.pack(">I", 24) + S16_BIG + b"LIST" + struct.pack(">I", 4090) + bytes(4090),
     "the same, a chunk of 4090 bytes behind the data")
save("good-odd-chunks.wav", riff(chunk(b"JUNK", b"abc"), FMT, chunk(b"LIST", b"INFOx"), DATA,
                                 chunk(b"id3 ", b"12345")),
     "chunks of odd sizes, padded, before and after fmt and data")
save("good-fmt-18.wav", riff(chunk(b"fmt ", fmt(3, 1, 32) + b"\0\0"), chunk(b"data", F32)),
     "a fmt chunk of 18 bytes, float")
save("good-extensible-24.wav", riff(chunk(b"fmt ", extensible(1, 1, 20, 24)), chunk(b"data", S24)),
     "WAVE_FORMAT_EXTENSIBLE, 20 bits in 24; data of an odd size")
save("good-stream-zero-extensible.wav",
     riff(chunk(b"fmt ", extensible(1, 1, 16, 16)), chunk(b"data", S16, 0), size=0), "the same, WAVE_FORMAT_EXTENSIBLE")
save("good-block-wider-than-bits.wav", riff(
    chunk(b"fmt ", fmt(1, 1, 24, block=4)),
    chunk(b"data", b"".join(struct.pack("<i", s * 65536) for s in SAMPLES))), "24 bits in 32")
save("good-block-zero.wav", riff(chunk(b"fmt ", fmt(block=0)), DATA), "a frame of 0 bytes, says a careless header")
save("good-stream-sox.wav", riff(FMT, chunk(b"data", S16, 0x7FFFF000), size=0x7FFFF024),
     "sox in a pipe: data of 0x7ffff000 bytes")
save("good-stream-sox-24.wav", riff(chunk(b"fmt ", fmt(bits=24)),
                                    chunk(b"data", S24, 0x7FFFEFFF), size=0x7FFFF024),
     "the same, rounded to whole frames")
save("good-stream-ffmpeg.wav", riff(FMT, chunk(b"data", S16, 0xFFFFFFFF), size=0xFFFFFFFF),
     "ffmpeg in a pipe: all sizes 0xffffffff")
save("good-stream-arecord.wav", riff(FMT, chunk(b"data", S16, 0x80000000), size=0x80000024),
     "arecord in a pipe: data of 0x80000000 bytes")
save("good-stream-gstreamer.wav", riff(FMT, chunk(b"data", S16, 0x7FFF0000), size=0x7FFF0024),
     "GStreamer in a pipe: data of 0x7fff0000 bytes")
save("good-stream-7fffff00.wav", riff(FMT, chunk(b"data", S16, 0x7FFFFF00), size=0x7FFFFF24), "others in a pipe")
save("good-stream-ffffff9b.wav",
     riff(chunk(b"LIST", b"INFO"), FMT, chunk(b"data", S16, 0xFFFFFF9B), size=0xFFFFFFBF),
     "the same; the size of the RIFF counts neither all chunks nor more than 32 bits")
save("bad-cut-large.wav", riff(FMT, chunk(b"data", S16, 0x90000000), size=0x90000024),
     "2.25 GiB of data, of which little is there: no writer's placeholder")
save("good-stream-7fffffff.wav", riff(FMT, chunk(b"data", S16, 0x7FFFFFFF), size=0x7FFFFFFF), "others in a pipe")
save("good-stream-zero.wav", riff(FMT, chunk(b"data", S16, 0), size=0),
     "others, or a recorder that was cut off: all sizes 0")
save("good-stream-zero-header.wav", riff(FMT, chunk(b"data", S16, 0), size=36),
     "the same, with the size of the header alone")
save("good-empty.wav", riff(FMT, chunk(b"data", b"")), "data of 0 bytes that are true, then the end")
save("good-empty-then-chunk.wav", riff(FMT, chunk(b"data", b""), chunk(b"LIST", b"INFOabcd")),
     "data of 0 bytes that are true, then a chunk")
save("good-rate-zero.wav", riff(chunk(b"fmt ", fmt(rate=0)), DATA), "a rate of 0 is no rate")
save("good-second-fmt.wav", riff(FMT, chunk(b"fmt ", fmt(bits=8)), DATA), "the first fmt chunk counts")
save("bad-cut-in-data.wav", WAV[:-10], "ends between two frames")
save("bad-cut-in-frame.wav", WAV[:-9], "ends inside a frame")
save("bad-cut-in-header.wav", WAV[:30], "ends inside fmt")
save("bad-cut-in-skipped.wav", riff(chunk(b"JUNK", b"abcd", 4000), FMT, DATA),
     "ends inside a chunk that is of no interest")
save("bad-stray-byte.wav", riff(FMT, chunk(b"data", S16 + b"\1")), "data that are no whole number of frames")
save("bad-no-data.wav", riff(FMT, chunk(b"LIST", b"INFO")), "no data chunk")
save("bad-data-before-fmt.wav", riff(DATA, FMT), "data that nothing is known about")
save("bad-fmt-small.wav", riff(chunk(b"fmt ", b"\1\0\1\0"), DATA), "a fmt chunk of 4 bytes")
save("bad-channels-zero.wav", riff(chunk(b"fmt ", fmt(channels=0)), DATA), "frames of nothing")
save("bad-another-follows.wav", WAV + WAV, "cat a.wav b.wav")
save("bad-another-follows-chunk.wav", riff(FMT, DATA, chunk(b"LIST", b"INFO")) + WAV, "the same, behind a chunk")
save("bad-second-data.wav", riff(FMT, DATA, chunk(b"LIST", b"INFO"), DATA), "sound that other programs pass over")
save("bad-wavl.wav", riff(FMT, chunk(b"LIST", b"wavl" + DATA)), "a list of data chunks")
save("bad-not-wave.wav", b"RIFF\x24\0\0\0CDXA" + bytes(16), "a RIFF of something else")
save("foreign-pcm-64.wav", riff(chunk(b"fmt ", fmt(bits=64)), chunk(b"data", bytes(16))), "integers of 64 bits")
save("foreign-bits-65535.wav", riff(chunk(b"fmt ", fmt(bits=65535, block=0)), DATA), "a width that overflows 16 bits")

# ---- RF64 and BW64
RF64_END = 60 + 36
save("good-rf64.wav", riff(ds64(RF64_END, 24, 12), FMT, chunk(b"data", S16, 0xFFFFFFFF),
                           name=b"RF64", size=0xFFFFFFFF), "the data's size in ds64")
save("good-bw64.wav", riff(ds64(RF64_END, 24, 12), FMT, chunk(b"data", S16, 0xFFFFFFFF),
                           chunk(b"axml", b"<x/>"), name=b"BW64", size=0xFFFFFFFF),
     "the same by its newer name, a chunk behind the data")
save("good-rf64-stream.wav", riff(ds64(0, 0, 0), FMT, chunk(b"data", S16, 0xFFFFFFFF),
                                  name=b"RF64", size=0xFFFFFFFF), "ffmpeg in a pipe: ds64 of zeros")
save("good-rf64-no-ds64.wav", riff(FMT, chunk(b"data", S16, 0xFFFFFFFF),
                                   name=b"RF64", size=0xFFFFFFFF), "no ds64 at all")
save("bad-rf64-cut.wav", riff(ds64(2**40, 2**40, 2**39), FMT, chunk(b"data", S16, 0xFFFFFFFF),
                              name=b"RF64", size=0xFFFFFFFF), "a promise of 2^40 bytes")
save("bad-rf64-ds64-small.wav", riff(chunk(b"ds64", b"12345678"), FMT, DATA, name=b"RF64"), "a ds64 without the sizes")

# ---- W64
save("good-plain.w64", w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"junk", b"abc"),
                           w64_chunk(b"data", S16)), "padding to 8 bytes")
save("good-stream.w64", w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"data", S16, 2**63 - 1),
                            size=2**64 - 1), "ffmpeg in a pipe: 2^63-1 and 2^64-1 bytes")
save("good-stream-zero.w64", w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"data", S16, 0), size=0),
     "sizes that were never filled in")
save("good-empty.w64", w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"data", b"")), "data of 0 bytes that are true")
save("bad-cut.w64", w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"data", S16))[:-3], "ends inside a frame")
save("bad-chunk-small.w64", w64(w64_chunk(b"fmt ", fmt(), 23), w64_chunk(b"data", S16)),
     "a chunk smaller than what stands in front of it")
save("bad-chunk-endless.w64", w64(w64_chunk(b"fmt ", fmt(), 2**64 - 1), w64_chunk(b"data", S16)),
     "a chunk of 2^64-1 bytes to pass over")

W64_TWICE = w64(w64_chunk(b"fmt ", fmt()), w64_chunk(b"data", b"", 23), size=0)
save("good-stream-sox.w64", W64_TWICE * 2 + S16 + W64_TWICE,
     "sox in a pipe: the header twice, and once more at the end")
save("good-stream-sox-empty.w64", W64_TWICE * 2, "the same without frames: the header twice")
save("bad-stream-sox-cut.w64", W64_TWICE * 2 + S16, "the same without the end")

# ---- AIFF
save("good-plain.aiff", form(comm(12), ssnd(S16_BIG)), "the form that every program reads")
save("good-offset.aiff", form(comm(12), big_chunk(b"NAME", b"odd"), ssnd(S16_BIG, offset=3)),
     "samples that begin 3 bytes later")
save("good-sowt.aifc", form(comm(12, more=b"sowt\0\0"), ssnd(S16), kind=b"AIFC"), "little-endian")
save("good-stream-zero.aiff", form(comm(0), ssnd(S16_BIG, size=0), size=0), "ffmpeg in a pipe: sizes of 0")
save("good-stream-sox.aiff", form(comm(0x7F000000 // 2), ssnd(S16_BIG, size=0x7F000008),
                                  size=0x7F00002E), "sox in a pipe: 0x7f000000 bytes")
save("good-fewer-frames-than-bytes.aiff", form(comm(12), ssnd(S16_BIG + b"\1\2\3\4")),
     "COMM says less than SSND: it counts")
save("bad-cut.aiff", form(comm(12), ssnd(S16_BIG))[:-6], "ends between two frames")
save("bad-offset.aiff", form(comm(12), big_chunk(b"SSND", struct.pack(">II", 2**31, 0) + S16_BIG)),
     "samples that begin behind their end")
save("bad-channels-zero.aiff", form(comm(12, channels=0), ssnd(S16_BIG)), "frames of nothing")

# ---- CAF
save("good-plain.caf", caf(desc(), caf_chunk(b"free", b"abc"), caf_chunk(b"data", b"\0" * 4 + S16),
                           caf_chunk(b"info", b"\0" * 4)), "chunks before and behind")
save("good-stream.caf", caf(desc(), caf_chunk(b"data", b"\0" * 4 + S16, -1)), "data of -1 bytes, until the end")
save("good-empty.caf", caf(desc(), caf_chunk(b"data", b"\0" * 4)), "no data but the edit count")
save("bad-cut.caf", caf(desc(), caf_chunk(b"data", b"\0" * 4 + S16))[:-5], "ends inside a frame")
save("bad-data-before-desc.caf", caf(caf_chunk(b"data", b"\0" * 4 + S16), desc()), "data that nothing is known about")
save("bad-chunk-endless.caf", caf(desc(), caf_chunk(b"free", b"", -1), caf_chunk(b"data", S16)),
     "a chunk of -1 bytes that is not the data")
save("bad-channels-zero.caf", caf(desc(channels=0), caf_chunk(b"data", b"\0" * 4 + S16)), "frames of nothing")

CAF_TWICE = caf(desc(flags=0), caf_chunk(b"data", b"\0" * 4))
save("good-stream-sox.caf", CAF_TWICE * 2 + S16_BIG + CAF_TWICE,
     "sox in a pipe: the header twice, and once more at the end")
save("bad-stream-sox-cut.caf", CAF_TWICE * 2 + S16_BIG + CAF_TWICE[:-1], "the same less a byte")

# ---- AU
save("good-plain.au", au(S16_BIG), "24 bytes of header")
save("good-remark.au", au(b"remark\0\0" + S16_BIG, offset=32, size=24), "a remark in front of the samples")
save("good-stream.au", au(S16_BIG, size=0xFFFFFFFF), "any program in a pipe: 0xffffffff bytes")
save("good-stream-zero.au", au(S16_BIG, size=0), "a size that was never filled in")
save("good-little.au", au(S16, name=b"dns.", order="<"), "little-endian")
save("good-little-sox.au", au(S16, name=b"\0ds.", order="<"), "the same with the name that sox writes")
save("good-dec.au", au(S16_BIG, name=b".sd\0"), "big-endian, by the other name that sox reads")
save("bad-cut.au", au(S16_BIG, size=1000), "ends before what it promises")
save("bad-cut-in-remark.au", au(b"remark", offset=32, size=24), "ends in front of the samples")
save("bad-offset.au", au(S16_BIG, offset=20), "samples inside the header")
save("bad-channels-zero.au", au(S16_BIG, channels=0), "frames of nothing")

# ---- NumPy
LIST = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
save("good-f4.npy", npy(LIST % ("<f4", "False", "(12,)"), F32), "one dimension")
save("good-v3.npy", npy(LIST % ("<f4", "False", "(12, 1)"), F32, version=3), "version 3 of the format, two dimensions")
save("good-i2-big.npy", npy(LIST % (">i2", "False", "(12,)"), S16_BIG),
     "big-endian integers, which are numbers as they are")
save("good-fortran-1d.npy", npy(LIST % ("<i2", "True", "(12,)"), S16),
     "Fortran order, which in one dimension is C order")
save("good-fortran.npy", npy(LIST % ("<i2", "True", "(6, 2)"), struct.pack("<12h", *PLANES)),
     "one column behind the other, as pandas has them")
save("good-keys-in-another-order.npy",
     npy("{\"shape\": (12L,), \"descr\": \"<i2\", \"fortran_order\": False}", S16),
     "the header as other writers and Python 2 write it")
save("good-empty.npy", npy(LIST % ("<f4", "False", "(0,)"), b""), "no rows")
save("bad-cut.npy", npy(LIST % ("<f4", "False", "(13,)"), F32), "fewer rows than its shape")
save("bad-another-follows.npy", 2 * npy(LIST % ("<f4", "False", "(12,)"), F32), "numpy.save() twice into one file")
save("bad-cut-fortran.npy", npy(LIST % ("<i2", "True", "(8, 2)"), struct.pack("<12h", *PLANES[:6], 7, 8,
                                                                              *PLANES[6:10])),
     "ends in its second column")
save("bad-scalar.npy", npy(LIST % ("<f4", "False", "()"), F32[:4]), "no dimension")
save("bad-3d.npy", npy(LIST % ("<f4", "False", "(3, 2, 2)"), F32), "three dimensions")
save("bad-text.npy", npy(LIST % ("<U2", "False", "(6,)"), F32), "strings are no samples")
save("bad-records.npy", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (12,), }",
                            F32), "fields with names")
save("bad-huge-shape.npy", npy(LIST % ("<f4", "False", "(%d, 60000)" % 2**62), F32), "a size beyond 64 bits")
save("bad-endless-digits.npy", npy(LIST % ("<f4", "False", "(" + "9" * 40 + ",)"), F32), "a number beyond 64 bits")
save("bad-no-header.npy", b"\x93NUMPY\1\0\xff\xff{", "ends inside its header")
save("bad-header-huge.npy", b"\x93NUMPY\2\0\xff\xff\xff\x7f{", "a header of 2 GiB")
