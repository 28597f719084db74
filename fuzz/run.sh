#!/usr/bin/env bash
# Fuzzes the language: fuzz/run.sh [SECONDS] [TARGET…]. Each target for half an hour unless said otherwise, two at a time,
# on stable Rust without a sanitizer, since the language holds no unsafe code. Needs `cargo install cargo-fuzz`.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-1800}
shift || true
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || targets=(lexer parser formatter checks)

# Coverage needs a flag that stable Rust has only on request.
export RUSTC_BOOTSTRAP=1
cargo test -q -p dz-dsl-file --test smoke -- --ignored the_fuzzer_gets_its_seeds
cargo fuzz build -s none
# A text of four kilobytes that takes ten seconds is a find too.
options=(-max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
printf '%s\n' "${targets[@]}" | xargs -P 2 -I '{}' cargo fuzz run -s none '{}' -- "${options[@]}"
