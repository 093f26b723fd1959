#!/bin/bash
# A time means nothing without a rate; the message says what to do about it.
gpuenv -w 10ms || echo "exit $?"
gpuenv -w 3 --hop 1s || echo "exit $?"
gpuenv -w 3 --skip 250us || echo "exit $?"
gpuenv -w 3 --frames 1.5s || echo "exit $?"
# Less than half a frame.
gpuenv -w 0.4ms -r 1000 || echo "exit $?"
