#!/bin/bash
# SPDX-License-Identifier: MIT
# A reader that leaves: no message, and the program ends as cat does.
gpuenv -w 2 </dev/zero | head -c 16 | wc -c
end_of() # COMMAND...: how it ends when its reader has left
{
    {
        status=0
        "$@" </dev/zero || status=$?
        echo "$status" >status
    } | true
    cat status
}
end_of cat
end_of gpuenv -w 2
end_of gpuenv -w 2 --threads 2 --chunk 1000
end_of gpuenv -w 2 --algorithm lemire -q
# Little output, and no reader from the start.
floats 1 2 3 >in.f32
{
    sleep 0.1
    gpuenv -w 1 in.f32 || echo "$?" >status
} | true
cat status
# With SIGPIPE ignored it cannot die by the signal, but it ends silently.
(
    trap '' PIPE
    gpuenv -w 2 </dev/zero
) | true
