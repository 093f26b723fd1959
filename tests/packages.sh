#!/bin/bash
# The packages, packed and tried: packages.sh debian|sources CMAKE BUILD_DIR SOURCE_DIR
#
# debian:  lintian finds no error in them; in a system of their own (a fresh one by mmdebstrap where a mirror
#          answers, else an empty folder) they install, run, and leave nothing when they are purged
# sources: the tarball holds every file of the repository, and what it holds builds and passes tests
set -eu

what=$1
cmake=$2
build_dir=$3
source_dir=$4
cpack=$(dirname "$cmake")/cpack
work=$(mktemp -d)
names=()
trap 'rm -rf "$work"' EXIT

need()
{
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null; then
            echo "no $tool"
            exit 77
        fi
    done
}

# Two frames in, one window out.
envelope()
{
    printf '\0\0\200?\0\0\0@' | "$@" -w 2 | od -An -t f4 | tr -s ' '
}

in_a_fresh_system()
{
    [ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null &&
        timeout 400 mmdebstrap --quiet --variant=apt \
            --customize-hook="copy-in $1 $2 /root" \
            --customize-hook="chroot \"\$1\" sh -c 'apt-get install -y -q /root/*.deb'" \
            --customize-hook="printf '\\0\\0\\200?\\0\\0\\0@' | chroot \"\$1\" gpuenv -w 2 | od -An -t f4 | tr -s ' ' >$work/first" \
            --customize-hook="chroot \"\$1\" gpuenv-bench -s 1000 -i 1 --only cpu >$work/table" \
            --customize-hook="chroot \"\$1\" apt-get purge -y -q ${names[*]}" \
            --customize-hook="find \"\$1\" -xdev -name '*gpuenv*' ! -path '*/root/*' >$work/left" \
            bookworm /dev/null >"$work/log" 2>&1
}

in_an_empty_folder()
{
    local root=$work/root

    mkdir -p "$root/var/lib/dpkg/"{info,updates} "$root/var/log"
    touch "$root/var/lib/dpkg/"{status,available}
    fakeroot dpkg --root="$root" --force-depends -i "$@" >"$work/log" 2>&1
    envelope "$root/usr/bin/gpuenv" >"$work/first"
    "$root/usr/bin/gpuenv-bench" -s 1000 -i 1 --only cpu >"$work/table"
    fakeroot dpkg --root="$root" --force-depends -P "${names[@]}" >>"$work/log" 2>&1
    find "$root" -name '*gpuenv*' >"$work/left"
}

debian()
{
    need dpkg-deb dpkg-shlibdeps lintian fakeroot
    (cd "$build_dir" && "$cpack" -G DEB -B "$work/packed") >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    local packages=("$work"/packed/*.deb)
    test "${#packages[@]}" -eq 2
    lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs "${packages[@]}"
    # Their names say whether the CUDA engine is in them.
    for package in "${packages[@]}"; do
        names+=("$(dpkg-deb -f "$package" Package)")
        dpkg-deb -f "$package" Package Depends Recommends Suggests
        dpkg-deb --fsys-tarfile "$package" | tar -xO "./usr/share/doc/${names[-1]}/copyright" >"$work/copyright"
        grep -q '^License: Expat$' "$work/copyright"
        # One with CUDA has the files of the one without, and what is linked in is NVIDIA's.
        case ${names[-1]} in
        gpuenv-cuda*)
            [ "$(dpkg-deb -f "$package" Conflicts)" = "${names[-1]/-cuda/}" ]
            grep -q '^License: NVIDIA-CUDA-EULA$' "$work/copyright"
            ;;
        esac
        case ${names[-1]} in
        *-bench) ;;
        *) dpkg-deb -f "$package" Recommends >"$work/recommends" ;;
        esac
    done
    grep -q libsndfile1 "$work/recommends" ||
        ! grep -q '^GPUENV_HAS_SNDFILE\|^SNDFILE_INCLUDE_DIR:PATH=/' "$build_dir/CMakeCache.txt"
    if in_a_fresh_system "${packages[@]}"; then
        echo "tried in a fresh system"
    else
        tail -n 3 "$work/log" | sed 's/^/no fresh system: /'
        rm -f "$work/left" "$work/first"
        in_an_empty_folder "${packages[@]}"
        echo "tried in an empty folder"
    fi
    [ "$(cat "$work/first")" = " 1 2" ]
    grep -q '^cpu ' "$work/table"
    if [ -s "$work/left" ]; then
        echo "left behind:"
        cat "$work/left"
        exit 1
    fi
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
    # Not optimised: what counts is that every file is there. The tests are those that read files of the tree.
    "$cmake" --preset dev -DGPUENV_CUDA=OFF -DCMAKE_C_FLAGS_DEBUG= -DCMAKE_CXX_FLAGS_DEBUG=
    "$cmake" --build build/dev -j "$(nproc)" --target gpuenv gpuenv-bench
    ctest --test-dir build/dev -j "$(nproc)" -R '^(cli/(help|option_lists)|readme|house/.*|lint/manual)$' \
        -L quick --output-on-failure
    [ "$(envelope build/dev/src/gpuenv)" = " 1 2" ]
}

"$what"
