#!/bin/bash
# How a run with a wrong command line ends. tests/unit/cli/refusals.c has every message.
gpuenv -w 0 || echo "exit $?"
gpuenv -w 3 --frobnicate || echo "exit $?"
gpuenv -w 3 --align=sideways || echo "exit $?"
gpuenv -w 3 -r -8000 || echo "exit $?"
gpuenv -w || echo "exit $?"
