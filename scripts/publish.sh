#!/usr/bin/env bash
# Packages every crate in the order of their dependencies, compiles each package as crates.io would, and uploads nothing.
# With `--upload` it also uploads them, in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=--dry-run
[ "${1:-}" = "--upload" ] && mode=
# Cargo finds the order itself; crates with `publish = false` are left out.
cargo publish --workspace --exclude dz-benches --exclude dz-public-api --exclude dz-tests --exclude dz-ui-tests $mode
