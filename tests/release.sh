#!/bin/bash
# SPDX-License-Identifier: MIT
# packaging/release.sh, tried in a copy of the tree: release.sh SOURCE_DIR PROGRAM
#
# What it packs is the same bytes from a clone, with what is built in it, and from what it has packed, without Git; Debian's
# sources are made of a clone; a release has one version, a tag, a checksum and a signature; after it the next state has one.
set -eu -o pipefail
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
need git clang-format

source_dir=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree" "$work/again" "$work/clone"
export HOME=$work GIT_CONFIG_NOSYSTEM=1 GNUPGHOME=$work/keys
export GIT_AUTHOR_NAME=tester GIT_AUTHOR_EMAIL=tester@localhost GIT_COMMITTER_NAME=tester GIT_COMMITTER_EMAIL=tester@localhost

unpack()
{
    tar -C "$1" --strip-components=1 -xzf "$2"
}

commit()
{
    git add -A -f
    git commit -q -m "$1"
}

# The version of a tree is that of the program where the test finds it: its --version is asked for the version.
one_version()
{
    local said

    said=$(sed -n 's/^#define GPUENV_VERSION "\(.*\)"$/\1/p' src/lib/gpuenv.h)
    # shellcheck disable=SC2016 # for the program
    printf '#!/bin/sh\ncase $1 in --version) echo gpuenv %s ;; *) exec %s "$@" ;; esac\n' "$said" "$program" >"$work/program"
    chmod +x "$work/program"
    PYTHONDONTWRITEBYTECODE=1 python3 tests/house/version.py . "$work/program" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$said is not one version"
    }
}

"$source_dir/packaging/release.sh" pack "$work" >"$work/log"
packed=$(echo "$work"/gpuenv-*.tar.gz)
version=${packed##*/gpuenv-}
version=${version%.tar.gz}
unpack "$work/tree" "$packed"
cd "$work"
tree/packaging/release.sh pack again >>"$work/log"
cd tree
packaging/release.sh --help | grep -q '^packaging/release.sh pack ' || fail "no help"
! packaging/release.sh pack ../nowhere 2>"$work/said" || fail "packed into no folder"
grep -q '^no such folder: ' "$work/said" || fail "$(cat "$work/said")"
cmp "$packed" "$work/again/${packed##*/}" || fail "the tree that is packed packs another one"
newest=$(find . -type f -printf '%T@\n' | sort -n | tail -n 1)
git init -q
GIT_COMMITTER_DATE="@${newest%.*} +0000" commit "a clone"
mkdir -p build/dev python/__pycache__
head -c 5000 /dev/urandom | tee build/dev/program >python/__pycache__/module.pyc
packaging/release.sh pack .. >>"$work/log"
cmp "$packed" "$work/again/${packed##*/}" || fail "a clone packs another tree"
if command -v dpkg-source >/dev/null; then
    dpkg-source -b . >>"$work/log" 2>&1 || fail "dpkg-source: $(tail "$work/log")"
    [ -e "$work/gpuenv_$version-1.dsc" ] || fail "no sources of Debian"
else
    echo "NOT TRIED: Debian's sources: no dpkg-source"
fi

one_version
[[ $version == *~dev ]] || packaging/release.sh "${version%.*}.$((${version##*.} + 1))~dev" >>"$work/log"
release=${version%\~dev}
packaging/release.sh "$release" 2027-01-02 >>"$work/log"
one_version
! grep -q '~dev' debian/changelog || fail "the state stands beside the release"
[ "$(grep -c '^gpuenv (' debian/changelog)" -ge 3 ] || fail "debian/changelog has lost releases"
! packaging/release.sh pack .. >>"$work/log" 2>&1 || fail "a release is packed that is not committed"
commit "$release"
key=()
if command -v gpg >/dev/null; then
    mkdir -m 700 "$GNUPGHOME"
    gpg --batch --quiet --passphrase '' --quick-generate-key tester@localhost ed25519 sign never 2>>"$work/log"
    key=(tester@localhost)
fi
packaging/release.sh pack .. "${key[@]}" >>"$work/log" 2>&1
(cd .. && sha256sum --quiet -c "gpuenv-$release.tar.gz.sha256")
[ ${#key[@]} -eq 0 ] || gpg --quiet --verify "../gpuenv-$release.tar.gz.asc" "../gpuenv-$release.tar.gz" 2>>"$work/log"
[ ${#key[@]} -eq 0 ] || gpgconf --kill all
git tag -a -F "../gpuenv-$release.tag" "v$release"
git tag -l -n99 "v$release" >"$work/tag"
grep -q "^v$release *gpuenv $release$" "$work/tag" || fail "the tag: $(cat "$work/tag")"
grep -q '^ *Added:$' "$work/tag" || fail "the tag does not say what is new: $(cat "$work/tag")"
! grep -q "^## " "../gpuenv-$release.tag" || fail "the tag has an earlier release"
packaging/release.sh "$(echo "$release" | awk -F . '{ print $1 "." $2 + 1 ".0" }')~dev" >>"$work/log"
one_version
echo "$version, $release and the next state"
