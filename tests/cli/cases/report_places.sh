#!/bin/bash
# A report never ends up among the frames, under any name; and if it cannot be written, that is reported early.
floats 1 2 3 >in.f32
gpuenv -w 2 in.f32 -o out.f32 --report ./out.f32 || echo "exit $?"
# shellcheck disable=SC2094
gpuenv -w 2 in.f32 --report r.json >r.json || echo "exit $?"
: >old
ln -s old link
gpuenv -w 2 in.f32 -o old --report link || echo "exit $?"
mkfifo silent
exec 3<>silent
timeout 30 gpuenv -w 2 --report nowhere/r.json -t f32 -o out.f32 <silent || echo "exit $?"
rm silent
gpuenv -w 2 --report ./in.f32 in.f32 -o out.f32 || echo "exit $?"
ls -A
show <in.f32
