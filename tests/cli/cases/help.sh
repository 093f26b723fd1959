#!/bin/bash
# --help goes to standard output, names the options, and is a success.
gpuenv --help >help.txt
gpuenv -h >short.txt
cmp help.txt short.txt
# It is an error if the help text cannot be written.
gpuenv --help >/dev/full || echo "exit $?"
