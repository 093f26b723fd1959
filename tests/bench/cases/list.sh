#!/bin/bash
# Every flavour of the processor is there, also one that cannot run here.
gpuenv-bench --list >windows.txt
gpuenv-bench --list --reduce max >max.txt
gpuenv-bench --list --reduce sum >sum.txt
for name in lemire vanherk cpu-scalar cpu; do
    grep -q "^$name  *CPU  *[^ ]" windows.txt || echo "windows: no $name"
done
for name in std-seq std-par std-par-unseq cpu; do
    grep -q "^$name  *CPU  *[^ ]" max.txt || echo "max: no $name"
done
for name in float double pairwise cpu; do
    grep -q "^$name  *CPU  *[^ ]" sum.txt || echo "sum: no $name"
done
gpuenv-bench --list --only lemire
