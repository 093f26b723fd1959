#!/bin/bash
# --version names the program and its version, whatever else is on the line.
gpuenv --version | grep -c '^gpuenv [0-9]*\.[0-9]*\.[0-9]*'
gpuenv -w 5 --version | grep -c '^gpuenv '
