#!/bin/bash
# More channels than fit into a block, converted: all are right.
/usr/bin/python3 - <<'END'
import subprocess
import sys

for channels, kind, width in ((16385, "s16", 2), (65535, "s16be", 2), (300, "u8", 1)):
    frames = [[(7919 * (i * channels + c)) % 251 for c in range(channels)] for i in range(3)]
    raw = b"".join(v.to_bytes(width, "big" if kind.endswith("be") else "little")
                   for frame in frames for v in frame)
    out = subprocess.run(["gpuenv", "-w", "3", "-t", kind, "--counts", "-c", str(channels), "-T",
                          kind, "--threads", "2"], input=raw, stdout=subprocess.PIPE).stdout
    due = b"".join(v.to_bytes(width, "big" if kind.endswith("be") else "little")
                   for c in range(channels)
                   for v in (min(f[c] for f in frames), max(f[c] for f in frames)))
    print(channels, kind, "right" if out == due else "WRONG")
END
# Spans of all channels that end in the same frame: one look at each.
/usr/bin/python3 -c 'import sys; sys.stdout.buffer.write((bytes(2 * 65535) + b"\0\x7f" * 65535) * 5)' >spans.s16
timeout 20 gpuenv -c 65535 -w 1 -T spans --level above:0.5 spans.s16 | cksum
