#!/bin/bash
# SPDX-License-Identifier: MIT
# Requested by name, cuda never falls back: exit 3, one line, nothing on standard output.
if [ -e /dev/nvidia0 ] || [ -e /dev/dxg ]; then
    echo "this machine has a CUDA device"
    exit 77
fi
floats 1 2 3 >in.f32
gpuenv -w 2 --device cuda in.f32 || echo "exit $?"
gpuenv -w 2 --device cuda:1 -o out.f32 in.f32 || echo "exit $?"
gpuenv -w 2 --device=cuda -q in.f32 || echo "exit $?"
gpuenv -w 2 --device auto in.f32 | show
gpuenv -w 2 --device cpu in.f32 | show
ls
