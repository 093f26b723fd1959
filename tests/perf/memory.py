#!/usr/bin/python3
"""Peak memory of an endless stream.

Usage: memory.py PROGRAM"""

import resource
import subprocess
import sys

from alternate import Bars

program = sys.argv[1]
bars = Bars()
subprocess.run(["sh", "-c", f"head -c 4G /dev/zero | {program} -w 512 > /dev/null"], check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
bars.show("peak memory, -w 512, to /dev/null, MiB", [peak], 24, 12)
subprocess.run(["sh", "-c", f"head -c 4G /dev/zero | {program} -w 512 | cat > /dev/null"],
               check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
bars.show("peak memory, -w 512, to a pipe, MiB", [peak], 24, 12)
bars.end()
