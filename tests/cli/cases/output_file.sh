#!/bin/bash
# SPDX-License-Identifier: MIT
# -o: the file gets the permissions of the user's mask, and no other file appears.
umask 027
floats 3 1 2 4 >in.f32
gpuenv -w 2 -o out.f32 in.f32
gpuenv -w 2 in.f32 | cmp - out.f32
stat -c '%a %s' out.f32
# An older file is replaced.
gpuenv -w 4 --output=out.f32 in.f32
show <out.f32
mkdir folder
gpuenv -w 3 -o folder/deep.f32 <in.f32
stat -c '%s' folder/deep.f32
# No input frames give a file, too.
gpuenv -w 1 -o empty.f32 </dev/null
stat -c '%s' empty.f32
# Devices and pipes are written directly.
gpuenv -w 2 -o /dev/null in.f32
gpuenv -w 2 -o /dev/stdout in.f32 | cmp - <(gpuenv -w 2 in.f32)
gpuenv -w 2 -o - in.f32 | cmp - <(gpuenv -w 2 in.f32)
gpuenv -w 2 -o /dev/fd/3 in.f32 3>three
cmp three <(gpuenv -w 2 in.f32)
mkfifo pipe
gpuenv -w 2 -o pipe in.f32 &
cmp pipe <(gpuenv -w 2 in.f32)
wait "$!"
test -c /dev/null
test -p pipe
ls -A
