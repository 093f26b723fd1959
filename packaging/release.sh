#!/bin/bash
# A release: packaging/release.sh VERSION [YYYY-MM-DD]
#
# Writes the version, which several files have, into all of them; the test house/version compares them. What was
# unreleased in CHANGELOG.md is that of the version, and the header of the library is kept for the tests (tests/abi/).
set -eu
cd "$(dirname "$0")/.."

version=$1
day=${2-$(date -u +%F)}
if ! [[ $version =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)$ ]]; then
    echo "not a version, as 0.3.0: $version" >&2
    exit 1
fi
number=$((BASH_REMATCH[1] * 10000 + BASH_REMATCH[2] * 100 + BASH_REMATCH[3]))
sed -i "s/^project(gpuenv VERSION [0-9.]*/project(gpuenv VERSION $version/" CMakeLists.txt
sed -i -e "s/^\(#define GPUENV_VERSION_MAJOR\) .*/\1 ${BASH_REMATCH[1]}/" \
    -e "s/^\(#define GPUENV_VERSION_MINOR\) .*/\1 ${BASH_REMATCH[2]}/" \
    -e "s/^\(#define GPUENV_VERSION_PATCH\) .*/\1 ${BASH_REMATCH[3]}/" \
    -e "s/^\(.. As one number, \)[0-9]*/\1$number/" \
    -e "s/^\(.. The version of the library that is running: \"\)[0-9.]*/\1$version/" src/lib/gpuenv.h
sed -i "s/^## \[Unreleased\]$/&\n\n## [$version] - $day/" CHANGELOG.md
sed -i -z "s/^/gpuenv ($version) unstable; urgency=medium\n\n  * Release $version; CHANGELOG.md says what is new.\n\n\
 -- The gpuenv authors <gpuenv@users.noreply.github.com>  $(date -u -R -d "$day")\n\n/" debian/changelog
sed -i -e "s/^\(Version: *\).*/\1$version/" -e "s/^%changelog$/&\n* $(LC_ALL=C date -u -d "$day" '+%a %b %d %Y') \
The gpuenv authors <gpuenv@users.noreply.github.com> - $version-1\n\
- Release $version; CHANGELOG.md says what is new.\n/" packaging/gpuenv.spec
tests/abi.sh renew
tests/abi.sh release
echo "$version: see git diff"
