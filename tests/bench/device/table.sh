#!/bin/bash
# SPDX-License-Identifier: MIT
# The phases of a device apart, a wrong flavour without a time, and a device that is not there.
alike()
{
    sed -E -e '/ MB /!s/ +[0-9]+\.[0-9]{2,3} - [0-9.]+ .*/ .../' -e 's/  +/  /g'
}
gpuenv-bench-fake --reduce max -s 100 --data ties -i 1 --only right,wrong >table || echo "exit $?"
grep '^right' table | sed -E 's/  +/ /g' | cut -d ' ' -f 3-5
grep '^wrong' table | alike
FAKE_DEVICE=none gpuenv-bench-fake --reduce max -s 100 -i 1 | grep '^skipped'
FAKE_DEVICE=none gpuenv-bench-fake --reduce max -s 100 -i 1 --only wrong --json account.json ||
    echo "exit $?"
FAKE_DEVICE=none gpuenv-bench-fake -s 100 -w 3 -i 1 --only cpu | grep -c '^skipped' || true
gpuenv-bench-fake --list --reduce max --only right,wrong
