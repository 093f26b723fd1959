#!/bin/bash
# An unreadable input is named; there is no output.
mkdir folder
gpuenv -w 3 folder || echo "exit $?"
gpuenv -w 3 <folder || echo "exit $?"
gpuenv -w 3 missing.f32 || echo "exit $?"
gpuenv -w 3 -o out.f32 missing.f32 || echo "exit $?"
gpuenv -w 3 '' || echo "exit $?"
gpuenv -w 3 <&- || echo "exit $?"
ls
