#!/bin/bash
# SPDX-License-Identifier: MIT
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
