#!/bin/bash
# An output that cannot be created is reported before anything is read.
floats 1 2 3 >in.f32
mkdir folder
gpuenv -w 2 -o nowhere/out.f32 in.f32 || echo "exit $?"
gpuenv -w 2 -o folder in.f32 || echo "exit $?"
gpuenv -w 2 -o '' in.f32 || echo "exit $?"
mkfifo in
exec 3<>in
timeout 60 gpuenv -w 2 -t f32 -o nowhere/out.f32 <in || echo "exit $?"
ls -A
