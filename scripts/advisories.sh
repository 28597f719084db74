#!/usr/bin/env bash
# Compares Cargo.lock with RustSec's index of known weaknesses. Needs the network; installs cargo-audit when it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-audit >/dev/null || cargo install cargo-audit --locked
cargo audit --deny warnings
