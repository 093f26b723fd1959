#!/bin/bash
# -o through a symbolic link writes its target; an older file keeps its permissions.
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
