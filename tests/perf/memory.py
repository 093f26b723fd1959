#!/usr/bin/python3
"""Peak memory of an endless stream.

Usage: memory.py PROGRAM"""

import resource
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars
from harness import PROGRAM

bars = Bars()
subprocess.run(["sh", "-c", f"head -c 4G /dev/zero | {PROGRAM} -w 512 > /dev/null"], check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
bars.show("peak memory, -w 512, to /dev/null, MiB", [peak], 24, 12)
subprocess.run(["sh", "-c", f"head -c 4G /dev/zero | {PROGRAM} -w 512 | cat > /dev/null"],
               check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
bars.show("peak memory, -w 512, to a pipe, MiB", [peak], 24, 12)
bars.end()
