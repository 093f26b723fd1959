#!/bin/bash
# A sum in float loses what is small beside it: shown as WRONG, without a time, and the
# program says so at the end.
gpuenv-bench --reduce sum --data sorted -s 12345 -i 1 --only float >table || echo "exit $?"
grep -o '^float  *WRONG: it says' table | sed 's/  */ /g'
