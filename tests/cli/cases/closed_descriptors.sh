#!/bin/bash
# Without standard input, output or error, no file takes over their descriptors.
floats 1 2 3 >in.f32
gpuenv -v -w 2 -o one.f32 in.f32 2>&-
show <one.f32
gpuenv -v -w 2 -o two.f32 in.f32 <&- >&- 2>&-
show <two.f32
gpuenv -v -w 2 -o three.f32 --report report.json <in.f32 >&- 2>&-
show <three.f32
/usr/bin/python3 -m json.tool <report.json >/dev/null
gpuenv -w 0 2>&- || echo "exit $?"
gpuenv --help >&- || echo "exit $?"
