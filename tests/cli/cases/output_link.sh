#!/bin/bash
# -o through a symbolic link writes the file that it points to; an older file keeps its rights.
floats 3 1 2 >in.f32
echo older >target
chmod 600 target
ln -s target link
gpuenv -w 2 -o link in.f32
test -L link
show <target
stat -c %a target
ln -s nowhere dangling
gpuenv -w 2 -o dangling in.f32
test -L dangling
show <nowhere
