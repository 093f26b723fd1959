#!/bin/bash
# Fewer frames than the window: no output, a warning, and success.
floats 1 2 3 | gpuenv -w 4 | wc -c
floats 1 2 3 | gpuenv -w 3 | show
# Other alignments have an output for every frame.
floats 1 2 3 | gpuenv -w 100 --align causal | show
floats 1 2 3 | gpuenv -w 100 --align center | show
floats 1 2 3 | gpuenv -w 100 --align center --edge nan | od -An -v -t x4 -w24
