#!/bin/bash
# --version prints the program and its version, with any other options.
gpuenv --version | grep -c '^gpuenv [0-9]*\.[0-9]*\.[0-9]*'
gpuenv -w 5 --version | grep -c '^gpuenv '
gpuenv --version | grep -c '^lib[a-z0-9]*: '
