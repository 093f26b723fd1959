#!/bin/bash
# Sourced: need PROGRAM... skips the test where one is missing.
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
