#!/bin/bash
# SPDX-License-Identifier: MIT
# A version, written and packed:
#
# packaging/release.sh VERSION [YYYY-MM-DD]
#     writes the version into all files that have it; the test house/version compares them. 0.4.0 is a release: what was
#     unreleased in CHANGELOG.md is that of the version, and the header of the library is kept for the tests (tests/abi/).
#     0.5.0~dev is a state of the work on 0.5.0; it follows each release.
# packaging/release.sh pack [FOLDER [KEY]]
#     writes the files of this tree into FOLDER (default: the one above), as gpuenv-VERSION.tar.gz, with its checksum and the
#     text of the tag, and under the name that dpkg-source wants; with a key of gpg also a signature. A release is packed
#     as it is committed. Equal files give equal bytes, also where there is no Git: the time is that of the commit.
set -eu -o pipefail
here=$PWD
cd "$(dirname "$0")/.."
export LC_ALL=C

fail()
{
    echo "$*" >&2
    exit 1
}

# The files of this tree, without what is built there, each followed by a zero.
files()
{
    if [ -e .git ]; then
        git ls-files -z -c -o --exclude-standard | while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file"
        done
    else
        find . -type d \( -path './build' -o -path './build-*' -o -name __pycache__ -o -path './debian/.debhelper' -o \
            -path './debian/*gpuenv*' -o -path ./debian/tmp \) -prune -o ! -type d ! -path './debian/*.debhelper*' \
            ! -path './debian/*.substvars' ! -path ./debian/files -printf '%P\0'
    fi
}

# Of the commit, or of the newest file, which has that time.
seconds()
{
    if [ -e .git ]; then
        git log -1 --format=%ct
    else
        files | xargs -0 stat -c %Y | sort -n | tail -n 1
    fi
}

# What CHANGELOG.md says of the version. Git takes lines that begin with # for comments.
tag_text()
{
    local section=$version

    [[ $version != *~dev ]] || section=Unreleased
    echo "gpuenv $version"
    awk -v head="## [$section]" 'index($0, "## [") == 1 { said = index($0, head) == 1; next }
        said { if (sub(/^### /, "")) $0 = $0 ":"; print }' CHANGELOG.md
    echo "SHA-256 of $name.tar.gz: $(cut -d ' ' -f 1 "$folder/$name.tar.gz.sha256")"
}

pack()
{
    local folder=${1-$PWD/..} key=${2-} version name

    [[ $folder == /* ]] || folder=$here/$folder
    [ -d "$folder" ] || fail "no such folder: $folder"
    version=$(sed -n 's/^#define GPUENV_VERSION "\(.*\)"$/\1/p' src/lib/gpuenv.h)
    name=gpuenv-$version
    if [ -e .git ] && [[ $version != *~dev ]]; then
        [ -z "$(git status --porcelain)" ] || fail "$version is not committed: see git status"
    fi
    files | sort -z | tar --null --no-recursion --verbatim-files-from --format=gnu --owner=0 --group=0 \
        --numeric-owner --mode=u=rwX,go=rX --mtime="@$(seconds)" --transform="flags=r;s|^|$name/|" -cf - --files-from=- |
        gzip -n -9 >"$folder/$name.tar.gz"
    ln -f "$folder/$name.tar.gz" "$folder/gpuenv_$version.orig.tar.gz"
    (cd "$folder" && sha256sum "$name.tar.gz") >"$folder/$name.tar.gz.sha256"
    tag_text >"$folder/$name.tag"
    [ -z "$key" ] || gpg --yes --local-user "$key" --armor --detach-sign "$folder/$name.tar.gz"
    echo "$folder/$name.tar.gz; its tag: git tag -a -F $folder/$name.tag v$version"
}

case ${1-} in
pack)
    pack "${@:2}"
    exit
    ;;
-h | --help)
    sed -n '3,/^set/ { /^#/ s/^# \?//p }' packaging/release.sh
    exit
    ;;
esac
[ $# -gt 0 ] || fail "usage: packaging/release.sh VERSION [YYYY-MM-DD] | pack [FOLDER [KEY]]"
version=$1
day=${2-$(date -u +%F)}
[[ $version =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)(~dev)?$ ]] || fail "not a version, as 0.3.0 or 0.3.0~dev: $version"
number=$((BASH_REMATCH[1] * 10000 + BASH_REMATCH[2] * 100 + BASH_REMATCH[3]))
sed -i -e "s/^\(#define GPUENV_VERSION_MAJOR\) .*/\1 ${BASH_REMATCH[1]}/" \
    -e "s/^\(#define GPUENV_VERSION_MINOR\) .*/\1 ${BASH_REMATCH[2]}/" \
    -e "s/^\(#define GPUENV_VERSION_PATCH\) .*/\1 ${BASH_REMATCH[3]}/" \
    -e "s/^\(#define GPUENV_VERSION\) .*/\1 \"$version\"/" \
    -e "s/^\(.. The version as one number, \)[0-9]*/\1$number/" src/lib/gpuenv.h
sed -i "s/^version = .*/version = \"${version/\~dev/.dev0}\"/" pyproject.toml
sed -i "s/^\(Version: *\).*/\1$version/" packaging/gpuenv.spec
# The entry of a state goes, for that of the release.
suite=unstable
text="Release $version"
if [[ $version == *~dev ]]; then
    suite=UNRELEASED
    text="On the way to ${version%~dev}"
fi
sed -i '1 { /~dev-1)/ { N; N; N; N; N; d } }' debian/changelog
sed -i -z "s/^/gpuenv ($version-1) $suite; urgency=medium\n\n  * $text; CHANGELOG.md says what is new.\n\n\
 -- The gpuenv authors <maintainer@gpuenv.invalid>  $(date -u -R -d "$day")\n\n/" debian/changelog
if [[ $version != *~dev ]]; then
    sed -i "s/^## \[Unreleased\]$/&\n\n## [$version] - $day/" CHANGELOG.md
    sed -i "s/^%changelog$/&\n* $(date -u -d "$day" '+%a %b %d %Y') The gpuenv authors <maintainer@gpuenv.invalid> - \
$version-1\n- Release $version; CHANGELOG.md says what is new.\n/" packaging/gpuenv.spec
    tests/abi.sh release
    tests/abi.sh renew
fi
echo "$version: see git diff"
