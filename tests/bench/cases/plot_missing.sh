#!/bin/bash
# Without gnuplot it is said before anything is measured, and no file appears.
here=$(dirname "$(command -v gpuenv-bench)")
PATH=$here gpuenv-bench -s 1000 -w 9 --plot one.svg || echo "exit $?"
echo *
