#!/bin/bash
# -q silences everything but errors.
floats 1 2 3 | gpuenv -q -w 4
floats 1 2 3 | gpuenv -q -w 2 --progress >/dev/null
gpuenv -q -w 1 missing || echo "exit $?"
floats 2 | gpuenv -q -w 1 -T s16 >/dev/null
