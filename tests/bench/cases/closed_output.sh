#!/bin/bash
# Without a standard output nothing lands in a file that was named.
gpuenv-bench -s 100 -w 3 -i 1 --only cpu --csv all.csv >&- || echo "exit $?"
echo *
