#!/bin/bash
# SPDX-License-Identifier: MIT
# With a small address space there are fewer workers, and no error.
if [ -n "${GPUENV_SANITIZE-}" ]; then
    echo "a sanitizer needs all addresses"
    exit 77
fi
head -c 20000000 /dev/urandom >in.s16
gpuenv -t s16 -w 9 --threads 1 in.s16 >due.f32
# Stacks may be most of what a worker takes. A heap for each thread would be 64 MiB.
for limit in "18000 16" "40000 16" "145000 4" "150000 4" "210000 16"; do
    (
        ulimit -v "${limit% *}"
        gpuenv -t s16 -w 9 --threads "${limit#* }" in.s16 -o out.f32
    ) && cmp due.f32 out.f32 && echo "$limit"
done
