#!/bin/bash
# A width is a whole number of frames, at least one; or a time.
for width in 0 -1 -0 1e30 99999999999999999999 12x 1.5 '' ' ' ms nan infs -1ms 0ms; do
    gpuenv -r 1000 -w "$width" || echo "'$width': exit $?"
done
gpuenv -w || echo "none: exit $?"
