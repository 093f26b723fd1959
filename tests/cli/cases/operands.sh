#!/bin/bash
# `-` is standard input, `--` ends the options, and there is one input at most.
floats 3 1 2 >-w
# shellcheck disable=SC2094
gpuenv -w 2 - <-w | show
gpuenv -w 2 -t f32 -- -w | show
gpuenv -w 2 -t f32 ./-w | show
gpuenv ./-w -w 2 -t f32 | show
gpuenv -w 2 ./-w ./-w || echo "exit $?"
gpuenv -w 2 - ./-w || echo "exit $?"
