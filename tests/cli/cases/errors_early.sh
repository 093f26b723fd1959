#!/bin/bash
# Errors in the options are reported before there is any input.
mkfifo silent
exec 3<>silent
for options in '-w 1 -T bogus' '-w 1 -t bogus' '-w 10ms -t s16' '-w 1 -o x.mp3' \
    '-t s16 -w 3 --hop 1s' '-t s16 -w 3 --skip 250us' '-t s16 -w 3 --frames 1.5s' '-t s16 -w 0.4ms -r 1000'; do
    # shellcheck disable=SC2086
    timeout 30 gpuenv $options <silent || echo "exit $?"
done
