#!/bin/bash
# How a run with a wrong command line ends. tests/unit/tool/refusals.c has every message.
gpuenv -w 0 || echo "exit $?"
gpuenv -w || echo "exit $?"
