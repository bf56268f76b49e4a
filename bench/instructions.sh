#!/usr/bin/env bash
# Instructions per call, counted by valgrind, compared with instructions.toml.
#
#   ./instructions.sh            fails if a figure exceeds that of the file by more than the tolerance
#   ./instructions.sh --update   writes the new figures to the file
#
# A run of N calls is subtracted from one of 2 N calls, so setup does not count. Figures depend on the compiler,
# so update them with the toolchain.
set -euo pipefail
cd "$(dirname "$0")"

figures=instructions.toml
update=${1:-}
if [[ -n $update && $update != --update ]]; then
    echo "usage: $0 [--update]" >&2
    exit 2
fi

# Omits the stores and the client, which would add minutes to the build.
cargo build --quiet --release --no-default-features --features simd
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
bench=$target/release/verger-bench
tolerance=$(sed -n 's/^tolerance_percent *= *\([0-9]*\).*/\1/p' "$figures")

# count JOB:INPUT:ENGINE CALLS: instructions of the whole process.
count() {
    local log
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$bench" --urls 1000 --one "$1:$2" 2>&1) || {
        echo "$log" >&2
        exit 1
    }
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' <<<"$log"
}

counted=$(mktemp)
trap 'rm -f "$counted" "$counted.once"' EXIT
worse=0
line_form='^"([^"]+)" *= *\{ *calls *= *([0-9]+), *instructions *= *([0-9]+) *\}'
printf '%-40s %14s %14s %8s\n' "" instructions "in the file" change
while IFS= read -r line; do
    if [[ ! $line =~ $line_form ]]; then
        printf '%s\n' "$line" >>"$counted"
        continue
    fi
    name=${BASH_REMATCH[1]} calls=${BASH_REMATCH[2]} before=${BASH_REMATCH[3]}
    # In parallel.
    count "$name" "$calls" >"$counted.once" &
    twice=$(count "$name" $((2 * calls)))
    wait $!
    once=$(<"$counted.once")
    now=$(((twice - once) / calls))
    change=new verdict=
    if ((before > 0)); then
        change=$(((now - before) * 100 / before))%
        if ((now * 100 > before * (100 + tolerance))); then
            verdict="  WORSE" worse=1
        fi
    fi
    printf '%-40s %14d %14d %8s%s\n' "$name" "$now" "$before" "$change" "$verdict"
    printf '"%s" = { calls = %d, instructions = %d }\n' "$name" "$calls" "$now" >>"$counted"
done <"$figures"

if [[ $update == --update ]]; then
    cat "$counted" >"$figures"
elif ((worse)); then
    echo "instructions.sh: more than $tolerance % above $figures" >&2
    exit 1
fi
