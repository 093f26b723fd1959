#!/bin/bash
# There is no window without a width.
gpuenv || echo "exit $?"
gpuenv -t f32 || echo "exit $?"
