#!/usr/bin/env bash
# Measures the gain of each filter, batch size and constant of the engine: disables it in a copy of the source,
# and compares the copy with the source. ablation.md contains the results.
#
#   ./ablate.sh --list               lists the ablations
#   ./ablate.sh                      measures all of them
#   ./ablate.sh NAME...              measures these
#   ./ablate.sh --files DIR NAME...  also counts J9 of the real files in DIR (*.txt). May be repeated
#   ./ablate.sh --corpus DIR NAME... also measures time: J1c of the real files in DIR, J1, J3
#   ./ablate.sh --rounds N           uses the median of N runs for each time (7)
#
# Columns are instructions per call, counted by valgrind, without and with the feature, and the change in
# percent. Times are ratios of `verger` to `line-walk` (J1c, J1) or to `robotxt` (J3) in the same run. The two
# programs take turns, and the medians are shown. An ablation that no longer applies to the source, does not
# build or changes an answer is an error.
#
# Each ablation is built from scratch. `CARGO_PROFILE_RELEASE_LTO=off` shortens that from minutes to seconds,
# and slightly changes the figures of both sides. ABLATION_DIR is the directory of the copy (target/ablation).
# PRIORITY=-15 (for `nice`) stabilizes times.
set -euo pipefail
cd "$(dirname "$0")"

declare -a names=()
declare -A text area edits
current=

# ablation NAME AREA TEXT: starts an ablation. The edits that follow belong to it.
ablation() {
    current=$1 area[$1]=$2 text[$1]=$3 edits[$1]=
    names+=("$1")
}

# swap FILE OLD NEW: replaces OLD, which must occur exactly once in FILE of the engine, with NEW.
declare -a swap_file=() swap_old=() swap_new=()
swap() {
    edits[$current]+=" ${#swap_file[@]}"
    swap_file+=("$1") swap_old+=("$2") swap_new+=("$3")
}

# shellcheck source=ablations.sh
source ./ablations.sh

usage() {
    sed -n '2,19s/^# \{0,1\}//p' "$0"
}

corpus='' rounds=7
declare -a wanted=() folders=()
while (($#)); do
    case $1 in
    -h | --help) usage && exit ;;
    --list)
        for name in "${names[@]}"; do printf '%-24s %s\n' "$name" "${text[$name]}"; done
        exit
        ;;
    --files) folders+=("$(cd "${2:?--files needs a directory}" && pwd)") && shift ;;
    --corpus) corpus=${2:?--corpus needs a directory} && shift ;;
    --rounds) rounds=${2:?--rounds needs a number} && shift ;;
    -*) usage >&2 && exit 2 ;;
    *)
        [[ -v area[$1] ]] || { echo "$0: unknown ablation $1: see --list" >&2 && exit 2; }
        wanted+=("$1")
        ;;
    esac
    shift
done
((${#wanted[@]})) || wanted=("${names[@]}")
[[ -z $corpus ]] || corpus=$(cd "$corpus" && pwd)

work=${ABLATION_DIR:-$PWD/target/ablation}
copy=$work/source
rm -rf "$copy" "$work/source_as_it_is"
mkdir -p "$copy" "$work/bin"
tar -C .. --exclude=./target --exclude=target --exclude=.git --exclude=./fuzz --exclude=./testdata \
    -cf - Cargo.toml Cargo.lock crates xtask bench | tar -C "$copy" -xf -
engine=$copy/crates/verger/src
cp -r "$engine" "$work/source_as_it_is"

# build NAME: builds the benchmark from the copy, and stores it under that name.
build() {
    cargo build --quiet --release --no-default-features --features simd \
        --manifest-path "$copy/bench/Cargo.toml" --target-dir "$work/target" 2>"$work/build.log" || {
        cat "$work/build.log" >&2
        echo "$0: $1 does not build" >&2
        exit 1
    }
    cp "$work/target/release/verger-bench" "$work/bin/$1"
}

# apply NAME: makes its edits in the copy.
apply() {
    local nth source
    for nth in ${edits[$1]}; do
        source=$(<"$engine/${swap_file[nth]}")
        case $source in
        *"${swap_old[nth]}"*"${swap_old[nth]}"*) echo "$0: $1 is ambiguous in ${swap_file[nth]}" >&2 && exit 1 ;;
        *"${swap_old[nth]}"*) ;;
        *) echo "$0: $1 does not apply to ${swap_file[nth]}" >&2 && exit 1 ;;
        esac
        printf '%s\n' "${source/"${swap_old[nth]}"/"${swap_new[nth]}"}" >"$engine/${swap_file[nth]}"
    done
}

# undo NAME: restores the edited files, with a new date.
undo() {
    local nth
    for nth in ${edits[$1]}; do
        cat "$work/source_as_it_is/${swap_file[nth]}" >"$engine/${swap_file[nth]}"
    done
}

# count BENCH CALLS JOB:INPUT:ENGINE [OPTION...]: instructions per call, the difference between runs of 2 N and
# N calls.
count() {
    local bench=$1 calls=$2 times log
    local -a of_run=()
    for times in 1 2; do
        log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
            "$bench" --urls 1000 "${@:4}" --one "$3:$((times * calls))" 2>&1) || { echo "$log" >&2 && exit 1; }
        of_run+=("$(sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' <<<"$log")")
    done
    echo $(((of_run[1] - of_run[0]) / calls))
}

# The questions of an area, each with its number of calls. Cold hosts are counted by file.
cold="J9:a_wordpress/1:verger=200 J9:b_ecommerce/1:verger=50 J9:b_ecommerce/10:verger=20
    J9:b_ecommerce/100:verger=4"
one_pass="J1:a_wordpress:verger=200 J1:a_wordpress:verger-google=200 J1:b_ecommerce:verger=50
    J1:c_aibots:verger=50 J5:e_adv500k:verger=1"
kept="J3:j3_5_mix:verger=1000 J3:j3_50_mix:verger=1000 J3:j3_500_wild:verger=500
    J3:j3_15000_mix:verger=100 J5-hot:e_adv500k:verger=2"
declare -A counted=([scan]="$one_pass $cold" [index]="$kept $cold" [both]="$one_pass $kept $cold")

declare -A before=()
# compare NAME SHOWN CALLS JOB:INPUT:ENGINE [OPTION...]: prints a row of counts.
compare() {
    local name=$1 shown=$2 now
    [[ -v before[$shown] ]] || before[$shown]=$(count "$work/bin/none" "${@:3}")
    now=$(count "$work/bin/$name" "${@:3}")
    awk -v name="$shown" -v now="$now" -v before="${before[$shown]}" 'BEGIN {
        printf "    %-28s %12d %12d %+7.1f %%\n", name, now, before, (now - before) * 100 / before
    }'
}

counts() {
    local name=$1 question of_name folder questions
    local -a files
    for question in ${counted[${area[$name]}]}; do
        of_name=${question%:verger=*} of_name=${of_name%=*}
        [[ $of_name == J9:* || $of_name == J5-hot:* ]] || of_name=${of_name#*:}
        compare "$name" "$of_name" "${question#*=}" "${question%=*}"
    done
    for folder in "${folders[@]}"; do
        files=("$folder"/*.txt)
        for questions in 1 10 100; do
            compare "$name" "J9:${folder##*/}/$questions" ${#files[@]} "J9:corpus/$questions:verger" --corpus "$folder"
        done
    done
}

# ratios BENCH JOBS REFERENCE: prints "job input" and the ratio of `verger` to the reference, one per line.
ratios() {
    nice -n "${PRIORITY:-0}" "$1" --corpus "$corpus" --job "$2" --engine "verger,$3" \
        --input "j3_5_mix,j3_50_mix,j3_500_wild,j3_15000_mix,a_wordpress,b_ecommerce,c_aibots" \
        --rounds 3 --json 2>"$work/run.log" |
        awk -F'"' -v reference="$3" '{
            for (at = 2; at < NF; at++) {
                if ($at == "job") job = $(at + 2)
                if ($at == "input") input = $(at + 2)
                if ($at == "engine") engine = $(at + 2)
                if ($at == "ratio_to_verger") { ratio = $(at + 1); gsub(/[:,} ]/, "", ratio) }
            }
            if (engine == reference && ratio > 0) printf "%s %s\t%.6f\n", job, input, 1 / ratio
        }'
}

times() {
    local name=$1 round side
    : >"$work/none.ratios" && : >"$work/$name.ratios"
    for ((round = 0; round < rounds; round++)); do
        for side in none "$name"; do
            if [[ ${area[$name]} != index ]]; then
                ratios "$work/bin/$side" J1c,J1 line-walk >>"$work/$side.ratios"
            fi
            if [[ ${area[$name]} != scan ]]; then
                ratios "$work/bin/$side" J3 robotxt >>"$work/$side.ratios"
            fi
        done
    done
    awk -F'\t' '
        function median(list,   numbers, count, at, other, kept) {
            count = split(list, numbers, " ")
            for (at = 2; at <= count; at++)
                for (other = at; other > 1 && numbers[other - 1] + 0 > numbers[other] + 0; other--) {
                    kept = numbers[other]; numbers[other] = numbers[other - 1]; numbers[other - 1] = kept
                }
            return numbers[int((count + 1) / 2)]
        }
        NR == FNR { before[$1] = before[$1] " " $2; next }
        !($1 in now) { order[++inputs] = $1 }
        { now[$1] = now[$1] " " $2 }
        END {
            for (at = 1; at <= inputs; at++) {
                input = order[at]; old = median(before[input]); new = median(now[input])
                printf "    %-28s %12.4f %12.4f %+7.1f %% of time\n", input, new, old, (new - old) * 100 / old
            }
        }' "$work/none.ratios" "$work/$name.ratios"
}

build none
for name in "${wanted[@]}"; do
    apply "$name"
    build "$name"
    undo "$name"
    # A short run compares the answers of one pass with those of policies, and fails if they differ.
    "$work/bin/$name" --quick --job J1,J3,J5 --engine verger,verger-google --json >"$work/run.log" 2>&1 || {
        cat "$work/run.log" >&2
        echo "$0: $name changes an answer" >&2
        exit 1
    }
    printf '%s: %s\n' "$name" "${text[$name]}"
    counts "$name"
    [[ -z $corpus ]] || times "$name"
done
