#!/usr/bin/env bash
# Compares Cargo.lock with RustSec's index of known weaknesses. Needs the network; installs cargo-audit when it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-audit >/dev/null || cargo install cargo-audit --locked
# RUSTSEC-2023-0071 is about private keys: the crate `rsa` is used to check signatures of providers alone, with public ones.
cargo audit --deny warnings --ignore RUSTSEC-2023-0071
