#!/bin/bash
# A failed run leaves no partial file, and an older file unchanged.
printf '1234567890' >stray.f32
floats 1 2 nan 3 >nan.f32
gpuenv -w 1 -o out.f32 stray.f32 || echo "exit $?"
gpuenv -w 1 -o out.f32 --nan error nan.f32 || echo "exit $?"
ls -A
echo older >out.f32
gpuenv -w 1 -o out.f32 stray.f32 || echo "exit $?"
gpuenv -w 1 -o out.f32 --nan error nan.f32 || echo "exit $?"
gpuenv -w 999999999999999 -o out.f32 nan.f32 || echo "exit $?"
ls -A
cat out.f32
