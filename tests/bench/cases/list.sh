#!/bin/bash
# Every flavour of the processor is there, also one that cannot run here.
gpuenv-bench --list >windows
gpuenv-bench --list --reduce max >max
gpuenv-bench --list --reduce sum >sum
for name in lemire vanherk cpu-scalar cpu; do
    grep -q "^$name  *CPU  *[^ ]" windows || echo "windows: no $name"
done
for name in std-seq std-par std-par-unseq cpu; do
    grep -q "^$name  *CPU  *[^ ]" max || echo "max: no $name"
done
for name in float double pairwise cpu; do
    grep -q "^$name  *CPU  *[^ ]" sum || echo "sum: no $name"
done
gpuenv-bench --list --only lemire
