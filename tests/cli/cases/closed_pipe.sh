#!/bin/bash
# A reader that leaves: no word about it, and the end that cat comes to.
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
# Little to write, and nobody there from the start.
floats 1 2 3 >in.f32
{
    sleep 0.1
    gpuenv -w 1 in.f32 || echo "$?" >status
} | true
cat status
# With SIGPIPE ignored it cannot die by it, but it ends, and is quiet.
(
    trap '' PIPE
    gpuenv -w 2 </dev/zero
) | true
