#!/bin/bash
# SPDX-License-Identifier: MIT
# Sourced: need PROGRAM... skips the test where one is missing; fail WORDS... ends it.
need()
{
    local program

    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            echo "no $program"
            exit 77
        fi
    done
}

fail()
{
    echo "FAILED: $*"
    exit 1
}

# Builds of a folder that is new are made by ninja, where it is there: what make starts besides compilers is a tenth of
# a build.
fast_generator()
{
    ! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja
}
