#!/bin/bash
# Recordings of software radios.
floats 3 4 0 -2 >iq.cfile
floats 3 4 0 -2 | gpuenv -w 1 --emit max -t cf32 | show 1
gpuenv -w 1 --emit max iq.cfile | show 1
gpuenv -w 1 -o x.cfile iq.cfile || echo "exit $?"
mkdir rec
cp iq.cfile rec/IQ.CFILE
gpuenv -w 1 --emit max --out-dir out --recursive rec
show 1 <out/IQ.f32
