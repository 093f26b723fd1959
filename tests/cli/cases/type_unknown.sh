#!/bin/bash
gpuenv -w 3 -t f33 || echo "exit $?"
gpuenv -w 3 -t s16xe || echo "exit $?"
gpuenv -w 3 -t '' || echo "exit $?"
gpuenv -w 3 -T s12 || echo "exit $?"
