#!/bin/bash
# SPDX-License-Identifier: MIT
# What stands where, with every time made the same.
alike()
{
    sed -E -e '/ MB /!s/[0-9]+\.[0-9]{2,3}/T/g' -e 's/  +/  /g'
}
gpuenv-bench -s 1000,10 -w 7,1000 -i 1 --only lemire,cpu | alike
gpuenv-bench -s 12345 --reduce max -i 3 --only cpu --data ties | alike
gpuenv-bench -s 12345 --reduce sum -i 2 --only double --data sorted | alike
gpuenv-bench -s 5000 -w 100 -i 1 --only cpu --sweep threads=1,2,blocks=4 | alike
