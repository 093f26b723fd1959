#!/bin/bash
# SPDX-License-Identifier: MIT
# The packages of debian/ and packaging/, packed and tried: packages.sh debian|cuda|arm64|fedora|sources CMAKE SOURCE_DIR
# [NVCC]
#
# debian:  dpkg-buildpackage makes them, sources too; lintian has neither an error nor a warning; debian/tests/ pass on what
#          is unpacked in an empty folder and, as root with mmdebstrap, in a system of their own, where they find what
#          they depend on; purged, they leave nothing
# cuda:    the same with the CUDA engine, in a folder
# arm64:   they are built for another machine
# fedora:  rpmbuild makes those of packaging/gpuenv.spec, in which rpmlint finds no error; debian/tests/ pass on them
# sources: the source package holds every file of the repository, and what it holds builds and passes tests
set -eu
shopt -s extglob
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

what=$1
cmake=$2
source_dir=$3
nvcc=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs quietly; what went wrong is said.
quiet()
{
    "$@" >"$work/log" 2>&1 || {
        grep -n -i -E 'error|warning' "$work/log" | head -n 50
        tail -n 30 "$work/log"
        fail "$*"
    }
}

# What is in the release's tarball, beside it.
copy()
{
    quiet "$source_dir/packaging/release.sh" pack "$work"
    mkdir "$work/gpuenv"
    tar -C "$work/gpuenv" --strip-components=1 -xzf "$work"/gpuenv_*.orig.tar.gz
    version=$(dpkg-parsechangelog -l "$source_dir/debian/changelog" -S Version)
    export CCACHE_BASEDIR=$work/gpuenv
}

# pack OPTIONS...: the packages lie in $work.
pack()
{
    copy
    cd "$work/gpuenv"
    DEB_BUILD_OPTIONS=parallel=$(nproc) quiet dpkg-buildpackage -us -uc "$@"
    cd "$work"
    # Those of symbols for debuggers are dbgsym_*; the names of the others are the files'.
    packages=()
    for package in "$work"/*.deb; do
        case $package in
        *-dbgsym_*) ;;
        *) packages+=("$package") ;;
        esac
    done
    mapfile -t names < <(printf '%s\n' "${packages[@]}" | sed 's|.*/||; s/_.*//')
    [ "${#names[@]}" -gt 0 ] || fail "no packages"
}

# expect PACKAGE FIELD PATTERN
expect()
{
    local got

    got=$(dpkg-deb -f "$1"_*.deb "$2")
    # shellcheck disable=SC2053 # a pattern
    [[ $got == $3 ]] || fail "$1: $2: $got, not $3"
}

linted()
{
    if ! command -v lintian >/dev/null; then
        echo "NOT LOOKED AT by lintian, which is missing"
        return
    fi
    lintian --allow-root --fail-on error,warning ./*.changes
    echo "lintian: no error, no warning"
}

in_an_empty_folder()
{
    local root=$work/root

    mkdir -p "$root/var/lib/dpkg/"{info,updates} "$root/var/log"
    touch "$root/var/lib/dpkg/"{status,available}
    # Not configured: the scripts of a package find no shell there.
    quiet fakeroot dpkg --root="$root" --force-depends --unpack "${packages[@]}"
    PATH=$root/usr/bin:$PATH debian/tests/program
    ROOT=$root debian/tests/library
    PYTHONPATH=$root/usr/lib/python3/dist-packages debian/tests/python
    quiet fakeroot dpkg --root="$root" --force-depends -P "${names[@]}"
    left=$(find "$root" -name '*gpuenv*')
    [ -z "$left" ] || fail "left behind: $left"
    echo "tried in an empty folder"
}

in_a_fresh_system()
{
    if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap >/dev/null; then
        echo "NOT TRIED in a fresh system: not root, or no mmdebstrap"
        return
    fi
    # shellcheck disable=SC2016 # $1 is the system's folder
    quiet timeout 900 mmdebstrap --quiet --variant=apt \
        --customize-hook="copy-in ${packages[*]} $work/gpuenv/debian/tests /root" \
        --customize-hook='chroot "$1" sh -c "apt-get install -y -q /root/*.deb gcc libc6-dev pkg-config"' \
        --customize-hook='for test in program library python; do chroot "$1" /root/tests/$test || exit 1; done' \
        --customize-hook="chroot \"\$1\" apt-get purge -y -q ${names[*]}" \
        --customize-hook="find \"\$1\" -xdev -name '*gpuenv*' ! -path '*/root/*' >$work/left" \
        bookworm /dev/null
    [ ! -s "$work/left" ] || fail "left behind: $(cat "$work/left")"
    echo "tried in a fresh system"
}

debian()
{
    need dpkg-buildpackage dh fakeroot
    pack
    expect gpuenv Depends 'libc6 (>= +([0-9.]))'
    expect gpuenv Recommends 'libsndfile1, libmpg123-0t64 | libmpg123-0, libopusfile0'
    expect libgpuenv0 Depends 'libc6 (>= +([0-9.]))'
    expect libgpuenv-dev Depends "libgpuenv0 (= $version)"
    expect libgpuenv-dev Multi-Arch same
    expect python3-gpuenv Depends '*python3-numpy*'
    [ -e "gpuenv_$version.dsc" ] || fail "no sources"
    [ -n "$(find . -name 'libgpuenv0-dbgsym_*.deb')" ] || fail "no symbols for debuggers"
    linted
    cd gpuenv
    in_an_empty_folder
    cd "$work"
    in_a_fresh_system
}

cuda()
{
    need dpkg-buildpackage dh fakeroot
    if [ ! -x "$nvcc" ]; then
        echo "no nvcc"
        exit 77
    fi
    # For one kind of device: what counts is what is packed.
    PATH=$PATH:$(dirname "$nvcc") GPUENV_CONFIGURE=-DCMAKE_CUDA_ARCHITECTURES=75 pack -b -Ppkg.gpuenv.cuda
    expect gpuenv-cuda Conflicts gpuenv
    expect gpuenv-cuda Section non-free/sound
    for package in "${packages[@]}"; do
        dpkg-deb --fsys-tarfile "$package" | tar -xO --wildcards './usr/share/doc/*/copyright' |
            grep -q '^License: NVIDIA-CUDA-EULA$' || fail "$package lacks NVIDIA's licence"
    done
    linted
    cd gpuenv
    in_an_empty_folder
}

# Without Python's package, which needs the other machine's Python to build.
arm64()
{
    local prefix=aarch64-linux-gnu got

    need dpkg-buildpackage dh $prefix-gcc $prefix-g++ qemu-aarch64
    pack -b -d -aarm64 -Pcross,nocheck,nopython
    for package in "${packages[@]}"; do
        [[ $package == *_arm64.deb ]] || fail "$package"
        dpkg-deb -x "$package" root
    done
    got=$(printf '\0\0\200?\0\0\0@' | qemu-aarch64 -L /usr/$prefix root/usr/bin/gpuenv -w 2 | od -A n -t f4 | tr -s ' ')
    [ "$got" = " 1 2" ] || fail "gpuenv on arm64: $got"
    test -e root/usr/lib/$prefix/libgpuenv.so.0
    echo "$(wc -w <<<"${names[*]}") packages for arm64"
}

# What rpmlint asks of other distributions, of those who publish a package, or what Fedora's rpm does by itself.
fedora_filters()
{
    printf 'Filters = ["no-buildroot-tag", "lib-package-without-%%mklibname", "no-group-tag", "missing-hash-section",\n'
    printf '"shlib-policy-name-error", "outside-libdir-files", "no-url-tag", "library-without-ldconfig", "invalid-url",\n'
    printf '"static-library-without-debuginfo", "no-signature", "no-packager-tag",\n'
    printf '"non-versioned-file-in-library-package"]\n'
}

# Its libraries are those of this system, so what is installed here is not asked for.
fedora()
{
    local root=$work/root

    need rpmbuild rpmlint rpm2cpio cpio
    copy
    mkdir -p "$root" "$work/top/SOURCES"
    ln "$work"/gpuenv-*.tar.gz "$work/top/SOURCES/"
    export CCACHE_BASEDIR=$work/top
    quiet rpmbuild --nodeps --define "_topdir $work/top" -ba "$source_dir/packaging/gpuenv.spec"
    mapfile -t packages < <(find "$work/top" -name '*.rpm' | sort)
    fedora_filters >"$work/rpmlint.toml"
    rpmlint -c "$work/rpmlint.toml" "$source_dir/packaging/gpuenv.spec" "${packages[@]}" >"$work/lint" || {
        cat "$work/lint"
        fail "rpmlint"
    }
    for package in "${packages[@]}"; do
        [[ $package == *.src.rpm ]] || rpm2cpio "$package" | (cd "$root" && cpio -i -d --quiet)
    done
    PATH=$root/usr/bin:$PATH "$source_dir/debian/tests/program"
    PYTHONPATH=$(find "$root/usr/lib64" -name site-packages) "$source_dir/debian/tests/python"
    ROOT=$root "$source_dir/debian/tests/library"
    echo "${#packages[@]} packages for Fedora"
}

sources()
{
    need dpkg-source xz
    copy
    cd "$work"
    quiet dpkg-source -b gpuenv
    quiet dpkg-source -x gpuenv_*.dsc from
    if git -C "$source_dir" rev-parse >/dev/null 2>&1; then
        git -C "$source_dir" ls-files | while read -r file; do
            [ ! -e "$source_dir/$file" ] || [ -e "from/$file" ] || fail "not in the source package: $file"
        done
    fi
    cd from
    export CCACHE_BASEDIR=$PWD
    # What counts is that every file is there. The tests are those that read files of the tree.
    words=(-DCMAKE_C_FLAGS_RELEASE= -DCMAKE_CXX_FLAGS_RELEASE=)
    [ -z "${CMAKE_C_COMPILER_LAUNCHER-}" ] || words=()
    quiet "$cmake" --preset release -DBUILD_TESTING=ON -DGPUENV_CUDA=OFF "${words[@]}"
    quiet "$cmake" --build build/release -j "$(nproc)" --target gpuenv gpuenv-bench
    ctest --test-dir build/release -j "$(nproc)" -R '^(cli/(help|option_lists)|house/.*|lint/manual)$' \
        -L quick --output-on-failure
    PATH=$PWD/build/release/src:$PWD/build/release/src/bench:$PATH debian/tests/program
}

"$what"
