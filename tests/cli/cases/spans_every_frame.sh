#!/bin/bash
# Without -w and --zoom, spans are of every frame.
floats 1 2 3 1 4 | gpuenv -T spans --level above:1.5
floats 1 2 3 1 4 | gpuenv -w 1 -T spans --level above:1.5
