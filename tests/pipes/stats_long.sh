#!/bin/bash
# SPDX-License-Identifier: MIT
# Statistics of more than 2^32 frames: stats_long.sh PROGRAM
set -eu

program=$1
frames=4300000000
failed=0

# Zeros, then one sample of -128, which is -1.
text=$({
    head -c "$frames" /dev/zero
    printf '\200\0'
} | "$program" -t s8 --emit none --stats -)
due='{"frame":0,"frames":4300000002,"min":-1,"argmin":4300000000,"max":0,"argmax":0'
due+=',"abs":1,"argabs":4300000000,"sum":-1,"mean":-2.3255813942671713e-10'
due+=',"rms":0.000015249857029713987,"nan":0,"peak_db":0,"rms_db":-96.33468455781583,"clipped":1,"clipped_at":4300000000,"column":"ch1"}'
if [ "$text" != "$due" ]; then
    printf 'FAILED: %s\n   due: %s\n' "$text" "$due"
    failed=1
fi

# Blocks, the second one short, after skipped frames.
text=$({
    head -c "$frames" /dev/zero
    printf '\200\0'
} | "$program" -t s8 --skip 100000000 --emit none --stats - --stats-every 3000000000 \
    --stats-format tsv | cut -f 1,2,4,6,8 | xargs)
due='frame frames argmin argmax argabs 100000000 3000000000 100000000 100000000 100000000'
due+=' 3100000000 1200000002 4300000000 3100000000 4300000000'
if [ "$text" != "$due" ]; then
    printf 'FAILED: %s\n   due: %s\n' "$text" "$due"
    failed=1
fi
exit "$failed"
