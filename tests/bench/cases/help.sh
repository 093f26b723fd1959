#!/bin/bash
gpuenv-bench --help >help.txt
gpuenv-bench -h >short.txt
cmp help.txt short.txt
gpuenv-bench --version | grep -cE '^gpuenv-bench [0-9]+\.[0-9]+\.[0-9]+$'
gpuenv-bench --help >/dev/full || echo "exit $?"
awk 'length > 79' help.txt
