#!/bin/bash
# SIGINT and SIGTERM: a recording is finished, an older file stays, and the program dies by the signal, at any moment.
await() # PID: its exit status, without the shell's messages about it
{
    local status=0
    { wait "$1" || status=$?; } 2>/dev/null
    echo "$status"
}

until_open() # PID: its output is open, perhaps without a name, and the run has begun: it has threads
{
    until find "/proc/$1/fd" -lname '*(deleted)' -o -lname '*/.out.f32.*' 2>/dev/null | grep -q .; do
        sleep 0.01
    done
    until [ "$(find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 1 ]; do
        sleep 0.01
    done
    sleep 0.1
}

for signal in INT TERM; do
    echo "older" >out.f32
    env --default-signal="$signal" gpuenv -w 8 -o out.f32 </dev/zero &
    until_open "$!"
    kill -s "$signal" "$!"
    await "$!"
    ls -A
    cat out.f32
    rm out.f32 out.f32.part
done

# While it waits for input that never comes.
mkfifo in
exec 3<>in
env --default-signal=INT gpuenv -w 8 -t f32 -o out.f32 <in &
until_open "$!"
kill -s INT "$!"
await "$!"
rm out.f32

# While it waits for a reader that never reads.
mkfifo out
exec 4<>out
env --default-signal=TERM gpuenv -w 8 </dev/zero >out &
sleep 0.3
kill -s TERM "$!"
await "$!"
ls -A
