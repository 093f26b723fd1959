#!/bin/bash
# A width is required.
gpuenv || echo "exit $?"
gpuenv -t f32 || echo "exit $?"
