#!/bin/bash
# SPDX-License-Identifier: MIT
# A slow stream is not delayed, and no bytes are read that belong to the next program.
mkfifo held
exec 3<>held
printf 'ABCD' >&3
exec 4< <(gpuenv -w 1 --emit max <held 3>&-)
IFS= read -r -t 100 -N 4 first <&4 || true
echo "$first"
printf 'EFGH' >&3
exec 3>&-
cat <&4
echo
{ printf '0 1 2 3 4 5 6 7 8 9 a b c d'; } | { gpuenv -w 1 --emit max --frames 1; echo; cat; echo; }
