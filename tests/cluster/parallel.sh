#!/bin/bash
# SPDX-License-Identifier: MIT
# One file over GNU parallel, with a part that is lost at first: parallel.sh GPUENV EXAMPLES
# What prepare.sh sets is not seen from here.
# shellcheck disable=SC1091,SC2154
set -eu
source "$(dirname "$0")/prepare.sh"
need python3 parallel
parallel --version 2>/dev/null | grep -q '^GNU parallel' || need 'GNU parallel'
export PARALLEL_HOME=$work

# A gpuenv that fails at part 3.
rm bin/gpuenv
cat >bin/gpuenv <<END
#!/bin/sh
case "\$*" in *"--shard 3/8"*) [ -e mended ] || exit 2 ;; esac
exec '$gpuenv' "\$@"
END
chmod +x bin/gpuenv

name="a file's  name.s16"
mv in.s16 "$name"
run()
{
    "$examples/parallel.sh" 8 'the parts' out.f32 "$name" "${question[@]}"
}

if run 2>said; then
    fail "a part is lost, and nobody says so"
fi
cat said
grep -q 'part 3 of 8: is not there' said
grep -qx 'to do again: 3' said
[ ! -e out.f32 ]
touch mended five
run
cmp whole.f32 out.f32
[ ! 'the parts/part.5-of-8.f32' -nt five ] || fail "part 5 was done again"
[ 'the parts/part.3-of-8.f32' -nt five ]
