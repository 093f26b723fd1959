#!/bin/bash
# SPDX-License-Identifier: MIT
# Pictures of every kind; gnuplot says nothing while it draws.
if ! command -v gnuplot >/dev/null; then
    echo "no gnuplot"
    exit 77
fi
gpuenv-bench -s 1000..1e5*10 -w 10,100 -i 1 --only vanherk,cpu --plot both.svg >table
gpuenv-bench -s 1000 -w 1..512 -i 1 --only vanherk,lemire,cpu --plot windows.svg >table
gpuenv-bench -s 1000 -w 9 -i 1 --plot one.png >table
gpuenv-bench -s 1000,3000 --reduce max -i 1 --plot max.png >table
for picture in *.svg; do
    grep -q '</svg>' "$picture" || echo "$picture is not whole"
    grep -q '>vanherk<' "$picture" || echo "$picture has no legend"
done
grep -c 'window 100' both.svg
grep -c 'time over that of a copy' both.svg
grep -c "$(date -u +%Y)-[01][0-9]-[0-3][0-9]; medians of pairs, 1 each" both.svg
for picture in *.png; do
    head -c 4 "$picture" | tail -c 3
    echo " $picture"
done
