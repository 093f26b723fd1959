#!/bin/bash
# An unreadable container: the message says what it is, and what to do.
printf '\0\0\0\040ftypM4A \0\0\0\0' >film.m4a
printf '\032\105\337\243\237\102\206\201\001' >film.mkv
printf 'PK\003\004\024\0\0\0%018d\007\0\0\0arr.npy' 0 >arrays.npz
printf '\211HDF\r\n\032\n' >arrays.h5
for file in film.m4a film.mkv arrays.npz arrays.h5; do
    gpuenv -w 1 "$file" || echo "exit $?"
done
gpuenv -w 1 <film.mkv || echo "exit $?"
for file in 'my film.m4a' "my mother's film.m4a"; do
    cp film.m4a "$file"
    gpuenv -w 1 "$file" || echo "exit $?"
done
# An explicit raw type overrides detection.
gpuenv -w 1 -t u8 arrays.npz | wc -c
