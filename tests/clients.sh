#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs in other people's languages and frameworks, of examples/library/clients/, built with what is installed and
# run: clients.sh SOURCE_DIR BUILD_DIR
#
# Builds each whose tools are there, and says which are not.
set -eu -o pipefail

source_dir=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
need pkg-config gcc g++

clients=$source_dir/examples/library/clients
for component in lib dev; do
    cmake --install "$build" --prefix "$work/usr" --component "$component" >/dev/null
done
library=$(dirname "$(find "$work/usr" -name libgpuenv.so)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
read -ra flags <<<"$(pkg-config --cflags --libs gpuenv)"
strict=(-O1 -Wall -Wextra -Wpedantic -Werror)
built=()
skipped=()

# client NAME TOOL LINES COMMAND...: builds and runs a program, which prints these lines.
client()
{
    local name=$1 tool=$2 due=$3 got

    shift 3
    if ! command -v "$tool" >/dev/null && [ ! -e "$tool" ]; then
        skipped+=("$name (no $tool)")
        return
    fi
    got=$("$@" 2>&1) || {
        echo "FAILED: $name: $got"
        exit 1
    }
    if [ "$got" != "$due" ]; then
        printf 'FAILED: %s\ngot:\n%s\nwanted:\n%s\n' "$name" "$got" "$due"
        exit 1
    fi
    built+=("$name")
}

# run COMMAND...: a compiler, whose program is $work/program
run()
{
    rm -f "$work/program"
    "$@" && "$work/program"
}

run_go()
{
    mkdir -p "$work/go"
    cp "$clients/envelope.go" "$work/go"
    (cd "$work/go" && GO111MODULE=off GOFLAGS='' GOCACHE=$work/go/cache GODEBUG=cgocheck=2 GOEXPERIMENT=$(go_checks) go run envelope.go)
}

# Later versions have the stricter checks of pointers as an experiment.
go_checks()
{
    case $(go version) in
    *go1.1*' '* | *go1.20*) ;;
    *) echo cgocheck2 ;;
    esac
}

# Constants and types that are generated from the header fit each other, without casts.
run_bindgen()
{
    bindgen --no-layout-tests "$source_dir/src/lib/gpuenv.h" 2>/dev/null >"$work/bindings.rs" &&
        cat >"$work/bindings_main.rs" <<'RUST' && run rustc -A warnings "$work/bindings_main.rs" -o "$work/program" -L native="$library" -l gpuenv
include!("bindings.rs");
fn main() {
    let mut spec: gpuenv_spec = unsafe { std::mem::zeroed() };
    spec.size = std::mem::size_of::<gpuenv_spec>() as _;
    spec.width = 3;
    spec.align = gpuenv_align_GPUENV_CAUSAL;
    spec.edge = gpuenv_edge_GPUENV_EDGE_NAN;
    spec.nan = gpuenv_nan_GPUENV_NAN_OMIT;
    spec.value[0] = gpuenv_value_GPUENV_MAX;
    spec.result = gpuenv_type_GPUENV_F32;
    let kind = unsafe { gpuenv_result_type(&spec, gpuenv_type_GPUENV_S16, gpuenv_value_GPUENV_MAX) };
    println!("{}", kind == gpuenv_type_GPUENV_F32 && gpuenv_code_GPUENV_OK == 0);
}
RUST
}

envelope=$'1 5\n1 9\n1 9\n1 9\n2 9\n2 9'
wrong='width must be 1 or more'

client "callback, as JACK's" gcc $'0.250 0.125\n1.000 0.500\n0.500 0.250' \
    run gcc -std=c99 "${strict[@]}" "$clients/callback.c" -o "$work/program" "${flags[@]}" -lm
client OpenMP gcc 64000 \
    run gcc -std=c99 "${strict[@]}" -fopenmp "$clients/openmp.c" -o "$work/program" "${flags[@]}"
client "C++20" g++ "4 4 5 9 9 9 6 9 9 $wrong" \
    run g++ -std=c++20 "${strict[@]}" "$clients/spans.cpp" -o "$work/program" "${flags[@]}"
client Eigen /usr/include/eigen3 $'4 9 6\n7 5 6\n7 8 2\n7 8\n9 6 7 8' \
    run g++ -std=c++17 "${strict[@]}" -isystem /usr/include/eigen3 "$clients/matrix.cpp" -o "$work/program" "${flags[@]}"
client Rust rustc "$envelope"$'\n'"$wrong" \
    run rustc -D warnings "$clients/envelope.rs" -o "$work/program" -L native="$library"
if command -v rustc >/dev/null; then
    client bindgen bindgen true run_bindgen
fi
client Go go "$envelope"$'\n'"$wrong" run_go
client Fortran gfortran "$envelope" \
    run gfortran -std=f2018 -Wall -Werror -J "$work" "$clients/envelope.f90" -o "$work/program" "${flags[@]}"
client LuaJIT luajit "$envelope"$'\n'"$wrong" luajit "$clients/envelope.lua"

echo "built and run: $(printf '%s, ' "${built[@]}" | sed 's/, $//')"
[ ${#skipped[@]} -eq 0 ] || echo "skipped: $(printf '%s, ' "${skipped[@]}" | sed 's/, $//')"
