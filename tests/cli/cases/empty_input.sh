#!/bin/bash
# No frames in, no frames out.
gpuenv -w 5 --align causal | wc -c
gpuenv -w 5 --align center --edge nan | wc -c
gpuenv -w 5 --align center --hop 3 </dev/null | wc -c
true | gpuenv -w 5 --align causal -t s24 -c 7 | wc -c
true | gpuenv -w 5 -q | wc -c
# Also if there is a header.
gpuenv -t wav -w 3 </dev/null || echo "exit $?"
: | gpuenv -t wav -w 3 || echo "exit $?"
# A duration: the cause is told, the same from a file and a pipe.
: >empty
gpuenv -w 1ms empty || echo "exit $?"
gpuenv -w 1ms <empty || echo "exit $?"
: | gpuenv -w 1ms || echo "exit $?"
