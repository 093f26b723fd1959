#!/bin/bash
# Levels in decibels of full scale.
floats 1 -0.5 0.1 0 -0.99999 nan 2 >levels.f32
gpuenv -w 1 --emit abs --db -T csv levels.f32
gpuenv -w 2 --align causal --edge nan --emit abs --db --no-frame -T txt levels.f32
floats 3 4 0 0 0.3 0.4 >iq.cf32
gpuenv -w 1 --db -T csv iq.cf32
gpuenv -w 1 -t f32 -c 2 --iq --emit max --db --no-frame -T tsv iq.cf32
gpuenv -w 1 --emit abs --db levels.f32 -o levels.svg
grep -o 'peak [0-9.]*\|(dBFS)\|>[^>]*0</text>' levels.svg
floats 0 0 | gpuenv -w 1 -t f32 --emit abs --db -T svg --scale fit | grep -o 'magnitude · silent'
gpuenv -w 1 --emit abs --db --scale -40:0 levels.f32 -o part.svg
grep -o '>[^>]*40</text>' part.svg
echo --- wrong >&2
try()
{
    gpuenv -w 1 --db "$@" >words || echo "exit $?"
}
echo 1,2 >table.csv
try -T csv levels.f32
try -T csv --emit abs,mid levels.f32
try --emit range -o x.svg levels.f32
try --emit abs levels.f32
try --emit abs levels.f32 -o x.wav
try -T spans --level above:0.1 levels.f32
try -T csv --emit abs table.csv
try -T csv --iq table.csv
try -T csv --emit abs --counts -t s16 levels.f32
try --emit none --stats - levels.f32
