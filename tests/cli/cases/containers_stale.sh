#!/bin/bash
# SPDX-License-Identifier: MIT
# A header that was never updated, or has wrapped: the frames that it counts are used, the others reported.
/usr/bin/python3 - <<'END'
import struct

frames = struct.pack("<20000h", *[i % 100 for i in range(20000)])


def wav(name, size, tail=b""):
    head = b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt "
    head += struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    open(name, "wb").write(head + b"data" + struct.pack("<I", size) + frames + tail)


wav("half.wav", 20000)
wav("tagged.wav", 40000, b"TAG" + b"x" * 125)
wav("chunk.wav", 40000, b"LIST" + struct.pack("<I", 9000) + b"y" * 9000)
aiff = b"FORM" + struct.pack(">I", 46 + 40000) + b"AIFFCOMM"
aiff += struct.pack(">IHIH", 18, 1, 10000, 16) + bytes.fromhex("400bfa00000000000000")
aiff += b"SSND" + struct.pack(">III", 8 + 40000, 0, 0)
open("comm.aiff", "wb").write(aiff + frames)
END
for file in half.wav tagged.wav chunk.wav comm.aiff; do
    for way in file pipe; do
        if [ "$way" = file ]; then
            gpuenv -w 1 --emit max "$file" >out.f32 || echo "exit $?"
        else
            # shellcheck disable=SC2002
            cat "$file" | gpuenv -w 1 --emit max >out.f32 || echo "exit $?"
        fi
        echo "$file $way $(($(wc -c <out.f32) / 4))"
    done
done
# The same for libsndfile's reader.
if printf abc | gpuenv -w 1 -T aiff -r 8000 -t s8 -o probe.aiff 2>probe; then
    sox -n -r 8000 -e mu-law mu.wav synth 3 sine 440
    head -c 12000 mu.wav >cut.wav
    cat mu.wav >two.wav
    head -c 9000 mu.wav >>two.wav
    for file in mu.wav cut.wav two.wav; do
        gpuenv -w 1 --emit max "$file" >out.f32 || echo "exit $?"
    done
else
    exit 77
fi
rm -f probe ./*.wav ./*.aiff
head -c 40 /dev/zero | gpuenv -w 50 -r 8000 -T flac -o empty.flac || echo "exit $?"
ls -A
