#!/bin/bash
# SPDX-License-Identifier: MIT
# Pictures as PNG and PDF.
if ! command -v rsvg-convert >/dev/null; then
    echo "no rsvg-convert"
    exit 77
fi
floats 0 0.5 -1 -0.25 >in.f32
gpuenv in.f32 -o x.png && head -c 8 x.png | od -An -c
gpuenv in.f32 -o x.pdf && head -c 5 x.pdf && echo
gpuenv in.f32 -T png | head -c 4 | od -An -c
gpuenv in.f32 -T svg | rsvg-convert | cmp - x.png
mkdir bin
PATH=bin "$(command -v gpuenv)" in.f32 -o no.png || echo "exit $?"
fake() { printf '#!/bin/bash\n%s\n' "$1" >bin/rsvg-convert && chmod +x bin/rsvg-convert; }
fake 'cat >/dev/null; echo "rsvg-convert: out of colours" >&2; exit 1'
PATH=bin:$PATH gpuenv in.f32 -o no.png || echo "exit $?"
fake 'kill -9 $$'
PATH=bin:$PATH gpuenv in.f32 -o no.png || echo "exit $?"
echo --- it ends with the run
fake "echo \$\$ >process; trap '' TERM INT; kill -s INT \$PPID; exec sleep 600"
PATH=bin:$PATH gpuenv in.f32 -o no.png || echo "exit $?"
for _ in $(seq 100); do
    kill -0 "$(cat process)" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$(cat process)" 2>/dev/null || ls
