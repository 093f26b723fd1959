#!/bin/bash
# SPDX-License-Identifier: MIT
# Standard error is closed or full: the run continues, and leaves no temporary files.
head -c 4000000 /dev/zero >in.f32
gpuenv --progress -v -w 9 in.f32 -o out.f32 2> >(exec true) || echo "exit $?"
/usr/bin/python3 - <<'END'
import os
import subprocess

reader, writer = os.pipe()
os.set_blocking(writer, False)
try:
    while True:
        os.write(writer, b"x" * 4096)
except BlockingIOError:
    os.set_blocking(writer, True)
run = subprocess.run(["gpuenv", "-w", "9", "--progress", "in.f32", "-o", "full.f32"],
                     stderr=writer, timeout=100)
print(run.returncode)
END
sleep 0.1
ls -A
