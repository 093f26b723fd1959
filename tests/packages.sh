#!/bin/bash
# The packages, packed and tried: packages.sh debian|fresh|other|sources CMAKE BUILD_DIR SOURCE_DIR [NVCC]
#
# debian:  their names, files and fields are as they should be, and lintian, where it is, has neither an error nor
#          a warning; in an empty folder they are unpacked, run, and leave nothing when they are purged
# fresh:   the same in a system of their own, by mmdebstrap, where they find what they depend on
# other:   the same for a build with CUDA if this one is without, and the other way round
# sources: the tarball holds every file of the repository, and what it holds builds and passes tests
set -eu
shopt -s extglob
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

what=$1
cmake=$2
build_dir=$3
source_dir=$4
nvcc=${5-}
cpack=$(dirname "$cmake")/cpack
work=$(mktemp -d)
names=()
import='import gpuenv, importlib.metadata as m, numpy; print(*gpuenv.maximum(numpy.array([3, 1, 2]), 2), m.version("gpuenv"))'
trap 'rm -rf "$work"' EXIT

# Two frames in, one window out.
envelope()
{
    printf '\0\0\200?\0\0\0@' | "$@" -w 2 | od -An -t f4 | tr -s ' '
}

in_a_fresh_system()
{
    timeout 400 mmdebstrap --quiet --variant=apt \
        --customize-hook="copy-in $* /root" \
        --customize-hook="chroot \"\$1\" sh -c 'apt-get install -y -q /root/*.deb'" \
        --customize-hook="printf '\\0\\0\\200?\\0\\0\\0@' | chroot \"\$1\" gpuenv -w 2 | od -An -t f4 | tr -s ' ' >$work/first" \
        --customize-hook="chroot \"\$1\" gpuenv-bench -s 1000 -i 1 --only cpu >$work/table" \
        --customize-hook="chroot \"\$1\" python3 -c '$import' >$work/extremes" \
        --customize-hook="chroot \"\$1\" apt-get purge -y -q ${names[*]}" \
        --customize-hook="find \"\$1\" -xdev -name '*gpuenv*' ! -path '*/root/*' >$work/left" \
        bookworm /dev/null >"$work/log" 2>&1
}

in_an_empty_folder()
{
    local root=$work/root

    mkdir -p "$root/var/lib/dpkg/"{info,updates} "$root/var/log"
    touch "$root/var/lib/dpkg/"{status,available}
    # Not configured: the scripts of a package find no shell there.
    fakeroot dpkg --root="$root" --force-depends --unpack "$@" >"$work/log" 2>&1
    envelope "$root/usr/bin/gpuenv" >"$work/first"
    "$root/usr/bin/gpuenv-bench" -s 1000 -i 1 --only cpu >"$work/table"
    PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -B -c "$import" >"$work/extremes"
    fakeroot dpkg --root="$root" --force-depends -P "${names[@]}" >>"$work/log" 2>&1
    find "$root" -name '*gpuenv*' >"$work/left"
}

# documents PACKAGE NAMES...: what it says about itself
documents()
{
    local package=$1
    shift
    printf "./usr/share/doc/$package/%s\n" changelog.gz CHANGELOG.md.gz copyright "$@"
}

# A page a function, docs/library.md and the examples.
documents_of_the_library()
{
    # shellcheck disable=SC2046 # names without blanks
    printf './usr/share/man/man3/%s.3.gz\n' gpuenv \
        $(grep -o '\bgpuenv_[a-z_]*(' "$source_dir/src/lib/gpuenv.h" | tr -d '(' | grep -v -x gpuenv_init | sort -u)
    (cd "$source_dir" && printf "./usr/share/doc/$1/%s\n" docs/library.md examples/library/*)
}

# files PACKAGE PROGRAM DOCUMENTS...: what the package of a program holds
files()
{
    local package=$1 program=$2
    shift 2
    documents "$package" "$@"
    printf './usr/%s\n' "bin/$program" "share/man/man1/$program.1.gz" \
        "share/bash-completion/completions/$program" "share/zsh/site-functions/_$program" \
        "share/fish/vendor_completions.d/$program.fish"
    [ "$program" != gpuenv ] || echo ./usr/share/man/man7/gpuenv-formats.7.gz
}

# field NAME: of the package at hand
field()
{
    dpkg-deb -f "$package" "$1"
}

# expect WHAT GOT WANTED: bash's pattern, or words
expect()
{
    # shellcheck disable=SC2053
    if [[ $2 != $3 ]]; then
        printf '%s: %s\ngot:    %s\nwanted: %s\n' "$name" "$1" "$2" "$3"
        exit 1
    fi
}

# looked_at NAME SECTION FILES...: the package `name`, which is called NAME without CUDA
looked_at()
{
    local plain=$1 section=$2
    package=$packed/${name}_${version}_${architecture}.deb
    shift 2
    test -e "$package" || {
        echo "not packed: $package"
        ls "$packed"
        exit 1
    }
    names+=("$name")
    packages+=("$package")
    echo "$name: $(field Depends)"
    expect "name" "$(field Package)" "$name"
    expect "version" "$(field Version)" "$version"
    expect "section" "$(field Section)" "$section"
    dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$' | sort >"$work/files"
    printf '%s\n' "$@" | sort | diff - "$work/files"
    dpkg-deb --fsys-tarfile "$package" | tar -xO "./usr/share/doc/$name/copyright" >"$work/copyright"
    # With and without CUDA, a package has the same files; with it, NVIDIA's are linked in.
    expect "conflicts" "$(field Conflicts)" "${cuda:+$plain}"
    expect "NVIDIA's licence" "$(grep -c '^License: NVIDIA-CUDA-EULA$' "$work/copyright")" "$licences"
}

# program PROGRAM SECTION DOCUMENTS...
program()
{
    local program=$1 section=$2
    shift 2
    mapfile -t held < <(files "$name" "$program" "$@")
    looked_at "$program" "$section" "${held[@]}"
    case $program in
    *-bench) ;;
    *)
        expect "GCC's libraries" "$(grep -c '^License: GPL-3+ with GCC exception 3.1$' "$work/copyright")" 1
        # The C++ library is in the program. The sanitizers bring their own.
        grep -q '^GPUENV_SANITIZE:STRING=.' "$build_dir/CMakeCache.txt" ||
            expect "depends" "$(field Depends)" 'libc6 (>= +([0-9.]))'
        ! grep -q '^SNDFILE_INCLUDE_DIR:PATH=/' "$build_dir/CMakeCache.txt" ||
            expect "recommends" "$(field Recommends)" 'libsndfile1*'
        ! grep -q '^MPG123_INCLUDE_DIR:PATH=/' "$build_dir/CMakeCache.txt" ||
            expect "recommends" "$(field Recommends)" '*libmpg123-0t64 | libmpg123-0'
        ;;
    esac
}

with_cuda()
{
    grep -q '^set(CPACK_GPUENV_CUDA "ON")' "$build_dir/CPackConfig.cmake"
}

# An example is built with what the two packages of the library hold, shared and static. tests/library.sh has all.
example()
{
    local libraries=$work/library/usr/$libdir kind words got
    local moved=--define-variable=prefix=$work/library/usr

    if ! command -v pkg-config >/dev/null; then
        echo "example not tried: no pkg-config"
        return
    fi
    for package in "$packed"/libgpuenv*.deb; do
        dpkg-deb -x "$package" "$work/library"
    done
    for kind in shared static; do
        words=$(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config "$moved" --cflags --libs gpuenv)
        if [ "$kind" = static ]; then
            words=$(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config "$moved" --static --cflags --libs gpuenv)
            words=${words/-lgpuenv/-l:libgpuenv.a}
        fi
        # shellcheck disable=SC2086 # the words of pkg-config
        gcc "$source_dir/examples/library/envelope.c" -o "$work/envelope" $words
        got=$(LD_LIBRARY_PATH=$libraries "$work/envelope" | tail -n 1)
        expect "envelope.c, $kind" "$got" "2 9"
    done
}

debian()
{
    local packed=$work/packed packages=() version architecture cuda='' section=sound licences=0 name package held libdir

    need dpkg-deb dpkg-shlibdeps fakeroot
    (cd "$build_dir" && "$cpack" -G DEB -B "$packed") >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$build_dir/CPackConfig.cmake")
    architecture=$(dpkg --print-architecture)
    libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:PATH=//p' "$build_dir/CMakeCache.txt")
    # The names say whether the CUDA engine is in them.
    if with_cuda; then
        cuda=-cuda
        section=non-free/sound
        licences=1
    fi
    name=gpuenv$cuda
    # shellcheck disable=SC2046 # names without blanks
    program gpuenv "$section" README.md CONTRIBUTING.md SECURITY.md DEPENDENCIES.md \
        $(cd "$source_dir" && echo docs/*.md docs/*.svg && find examples -type f ! -path '*/__pycache__/*')
    name=gpuenv$cuda-bench
    program gpuenv-bench "$section"
    name=libgpuenv0$cuda
    mapfile -t held < <(documents "$name" && printf "./usr/$libdir/libgpuenv.so.%s\n" 0 "$version")
    [ -z "$cuda" ] || held+=("./usr/share/lintian/overrides/$name")
    looked_at libgpuenv0 "${section/sound/libs}" "${held[@]}"
    expect "depends" "$(field Depends)" 'libc6 (>= +([0-9.]))'
    name=libgpuenv$cuda-dev
    mapfile -t held < <(documents "$name" &&
        documents_of_the_library "$name" &&
        printf './usr/%s\n' include/gpuenv.h "$libdir/libgpuenv."{a,so} \
            "$libdir/pkgconfig/gpuenv.pc" "$libdir/cmake/gpuenv/gpuenv"{Config,ConfigVersion,Targets,Targets-release}.cmake)
    looked_at libgpuenv-dev "${section/sound/libdevel}" "${held[@]}"
    expect "depends" "$(field Depends)" "libgpuenv0$cuda (= $version)"
    if grep -q '^Python3_EXECUTABLE:\|^_Python3_EXECUTABLE:INTERNAL=/usr/bin/' "$build_dir/CMakeCache.txt"; then
        name=python3-gpuenv$cuda
        # shellcheck disable=SC2046 # names without blanks
        mapfile -t held < <(documents "$name" && printf "./usr/lib/python3/dist-packages/gpuenv%s\n" \
            "-$version.dist-info/METADATA" /_core.abi3.so \
            $(cd "$source_dir/python/gpuenv" && printf '/%s\n' *.py *.pyi py.typed))
        looked_at python3-gpuenv "${section/sound/python}" "${held[@]}"
        expect "depends" "$(field Depends)" 'python3 (>= 3.+([0-9])~), python3 (<< 3.+([0-9])), python3-numpy (>= 1:1.22), libc6 (>= +([0-9.]))'
    fi
    expect "number of packages" "$(find "$packed" -maxdepth 1 -name '*.deb' | wc -l)" "${#packages[@]}"

    example
    if command -v lintian >/dev/null; then
        lintian --allow-root --fail-on error,warning "${packages[@]}"
        echo "lintian: no error, no warning"
    else
        echo "no lintian"
    fi
    if [ "$what" = fresh ]; then
        in_a_fresh_system "${packages[@]}" || {
            tail -n 20 "$work/log"
            exit 1
        }
        echo "tried in a fresh system"
    else
        in_an_empty_folder "${packages[@]}"
        echo "tried in an empty folder"
    fi
    [ "$(cat "$work/first")" = " 1 2" ]
    [ ! -e "$work/extremes" ] || expect "Python" "$(cat "$work/extremes")" "3 2 $version"
    grep -q '^cpu ' "$work/table"
    if [ -s "$work/left" ]; then
        echo "left behind:"
        cat "$work/left"
        exit 1
    fi
}

# A build costs least where ccache has what the build of the tests has compiled: with the words of that build, in a
# folder as deep. Elsewhere it is hardly optimised.
#
# For one kind of device: what counts is what is packed.
other()
{
    local cuda=ON words=(-DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_RELEASE=-O1)

    need dpkg-deb dpkg-shlibdeps fakeroot
    if with_cuda; then
        cuda=OFF
    elif [ ! -x "$nvcc" ]; then
        echo "no nvcc"
        exit 77
    fi
    [ -z "${CMAKE_C_COMPILER_LAUNCHER-}" ] || words=()
    build_dir=$(dirname "$build_dir")/other
    rm -rf "$build_dir"
    if ! "$cmake" -S "$source_dir" -B "$build_dir" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF "-DGPUENV_CUDA=$cuda" \
        -DCMAKE_CUDA_ARCHITECTURES=75 "${words[@]}" >"$work/log" 2>&1 ||
        ! "$cmake" --build "$build_dir" -j "$(nproc)" >>"$work/log" 2>&1; then
        tail -n 50 "$work/log"
        exit 1
    fi
    debian
    test "$cuda" = OFF || with_cuda
}

fresh()
{
    need mmdebstrap
    if [ "$(id -u)" -ne 0 ]; then
        echo "not root"
        exit 77
    fi
    debian
}

sources()
{
    need tar xz
    (cd "$build_dir" && "$cpack" --config CPackSourceConfig.cmake -B "$work/packed") >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    mkdir "$work/from"
    tar -C "$work/from" --strip-components=1 -xf "$work"/packed/gpuenv-*.tar.xz
    if git -C "$source_dir" rev-parse >/dev/null 2>&1; then
        git -C "$source_dir" ls-files | sort >"$work/files"
        (cd "$work/from" && find . ! -type d | sed 's|^\./||' | sort) >"$work/packed.files"
        # Every file that git knows and that is there.
        while read -r file; do
            if [ -e "$source_dir/$file" ] && ! grep -q -x -F -e "$file" "$work/packed.files"; then
                echo "not in the tarball: $file"
                exit 1
            fi
        done <"$work/files"
    fi
    cd "$work/from"
    export CCACHE_BASEDIR=$PWD
    # What counts is that every file is there. The tests are those that read files of the tree.
    words=(-DCMAKE_C_FLAGS_RELEASE= -DCMAKE_CXX_FLAGS_RELEASE=)
    [ -z "${CMAKE_C_COMPILER_LAUNCHER-}" ] || words=()
    "$cmake" --preset release -DBUILD_TESTING=ON -DGPUENV_CUDA=OFF "${words[@]}"
    "$cmake" --build build/release -j "$(nproc)" --target gpuenv gpuenv-bench
    ctest --test-dir build/release -j "$(nproc)" -R '^(cli/(help|option_lists)|readme|house/.*|lint/manual)$' \
        -L quick --output-on-failure
    [ "$(envelope build/release/src/gpuenv)" = " 1 2" ]
}

"$what"
