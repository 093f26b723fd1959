#!/bin/bash
# --help goes to standard output, names the options, and is a success.
gpuenv --help >help.txt
gpuenv -h >short.txt
cmp help.txt short.txt
for word in Usage --window --align --edge --hop --emit --nan --output --device --report; do
    grep -q -i -e "$word" help.txt || echo "no $word"
done
# It is an error if the help text cannot be written.
gpuenv --help >/dev/full || echo "exit $?"
