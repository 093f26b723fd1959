#!/bin/bash
# SPDX-License-Identifier: MIT
# A signal that was ignored before, as in a shell's background, stays ignored.
mkfifo in
exec 3<>in
(
    trap '' INT TERM
    exec gpuenv -w 2 -t f32 --frames 3 <in >out.f32
) &
floats 1 2 >&3
until [ -s out.f32 ]; do
    sleep 0.01
done
kill -s INT "$!"
kill -s TERM "$!"
sleep 0.1
floats 3 >&3
wait "$!"
show <out.f32
