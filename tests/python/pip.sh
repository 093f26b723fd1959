#!/bin/bash
# Builds the source package, and installs it in a virtual environment: pip.sh PYTHON SOURCE_DIR
set -eu
python=$1
source_dir=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

skip()
{
    echo "$*"
    exit 77
}

# NumPy is that of the system.
"$python" -m venv --system-site-packages "$folder/venv" >/dev/null || skip "no venv for $python (Debian: python3-venv)"
"$python" -c 'import numpy' || skip "no numpy for $python"
inside=$folder/venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
"$inside" -m pip install -q build scikit-build-core || skip "no package index"

# The tree itself stays as it is.
git -C "$source_dir" ls-files -z --cached --others --exclude-standard >"$folder/files" || skip "no git tree"
mkdir "$folder/tree"
(cd "$source_dir" && tar -c --null --ignore-failed-read -T "$folder/files" | tar -x -C "$folder/tree")
CMAKE_BUILD_PARALLEL_LEVEL=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL
"$inside" -m build -n --sdist -o "$folder/dist" "$folder/tree" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
# Where ccache has what the build of the tests has compiled, this costs little: with its generator, in a folder as deep.
CMAKE_GENERATOR="Unix Makefiles" TMPDIR=$folder CCACHE_BASEDIR=$folder \
    "$inside" -m pip install -q --no-build-isolation --config-settings=build-dir=build/pip \
    "$folder"/dist/gpuenv-*.tar.gz

cd /
installed=$("$inside" -c 'import gpuenv; print(gpuenv.__file__)')
case $installed in
"$folder"/*) ;;
*)
    echo "not installed: $installed"
    exit 1
    ;;
esac
package=${installed%/*}
for file in py.typed _core.pyi; do
    [ -f "$package/$file" ] || {
        echo "no $file in $package"
        exit 1
    }
done
# Of the library no name is visible.
if nm -D --defined-only "$package"/_core.*.so | grep -v ' PyInit__core$'; then
    echo "names that should not be visible"
    exit 1
fi
# The folder of the package is one that is not there: it is found where it is installed.
"$inside" "$source_dir/tests/python/family.py" "$folder/none" 200
