#!/bin/bash
# SPDX-License-Identifier: MIT
# A million keys are the most (--by).
{ echo k,t,v; seq -f %.0f,1,1 1000001; } | gpuenv -t csv --time t --by k --zoom 1s -T csv >keys || echo "exit $?"
wc -l <keys
