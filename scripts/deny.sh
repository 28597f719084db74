#!/usr/bin/env bash
# `cargo deny check`, installed when it is missing: `scripts/deny.sh licenses bans sources`. The rules are in `deny.toml`.
set -euo pipefail
cd "$(dirname "$0")/.."
# The version is said, so that a new one cannot break a build that nobody touched; unoptimised, it is built in half the time.
cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --version 0.20.2 --locked --debug
cargo deny --workspace --all-features --locked check "$@"
