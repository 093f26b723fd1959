#!/bin/bash
# SPDX-License-Identifier: MIT
# Sourced by tests of what is installed: installed CMAKE BUILD_DIR puts it into $prefix, a place of its own.
#
# The list of the files that were installed last is what `uninstall` goes by, so it stays that of the user.
prefix=$(mktemp -d)

tidy_installed()
{
    rm -f "$manifest"
    if [ -e "$prefix.manifest" ]; then
        mv "$prefix.manifest" "$manifest"
    fi
    rm -rf "$prefix"
}

installed()
{
    manifest=$2/install_manifest.txt
    if [ -e "$manifest" ]; then
        cp -p "$manifest" "$prefix.manifest"
    fi
    trap tidy_installed EXIT
    "$1" --install "$2" --prefix "$prefix" >/dev/null
}
