#!/bin/bash
# SPDX-License-Identifier: MIT
# HTCondor's own parser reads the files of examples/cluster/, and the jobs that it makes of them are
# done here, one by one: condor.sh GPUENV EXAMPLES
#
# The parser is that of PyPI's htcondor before 25, which tells all jobs of a submit file. Where it
# cannot be had, the test is skipped.
# What prepare.sh sets is not seen from here.
# shellcheck disable=SC1091,SC2154
set -eu
tests=$(dirname "$(realpath "$0")")
source "$tests/prepare.sh"
need python3
if ! python3 -m pip install -q --retries 1 --timeout 10 --target "$work/python" 'htcondor<25' \
    >pip.log 2>&1; then
    tail -n 1 pip.log
    echo "no htcondor from PyPI"
    exit 77
fi
export PYTHONPATH=$work/python CONDOR_CONFIG=/dev/null
if ! python3 -c 'import htcondor' 2>import.log; then
    tail -n 1 import.log
    exit 77
fi

cp "$examples"/* .
sed -i -e 's/input="[^"]*"/input="in.s16"/' -e "s/options=\"[^\"]*\"/options=\"${question[*]}\"/" \
    condor.dag
grep -q 'count="16".*in.s16.*--emit min,max,mid' condor.dag
python3 "$tests/condor_jobs.py" condor.dag >list
[ "$(wc -l <list)" -eq 17 ]
tail -n 1 list | grep -q 'join.py 16 parts out.f32'
while read -r job; do
    $job
done <list
cmp whole.f32 out.f32
