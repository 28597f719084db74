#!/usr/bin/env bash
# Builds dz against diesel's main branch and compares the SQL of dz's `table!` with diesel's, on a copy of the last commit.
# Run it by hand before an update of diesel: it needs the network, and a failure names a part of diesel that dz depends on and that has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
cd "$work"

# The manifest pins diesel to a minor version; main has the next one.
sed -i 's/^diesel = { version = "[^"]*"/diesel = { version = "*"/' Cargo.toml
sed -i 's/^diesel_migrations = "[^"]*"/diesel_migrations = "*"/' dz-runtime/Cargo.toml
cat >>Cargo.toml <<'PATCH'

[patch.crates-io]
diesel = { git = "https://github.com/diesel-rs/diesel", branch = "main" }
diesel_derives = { git = "https://github.com/diesel-rs/diesel", branch = "main" }
diesel_migrations = { git = "https://github.com/diesel-rs/diesel", branch = "main" }
PATCH

cargo check -p dz --features sqlite,postgres,oidc,testing
cargo test -p dz-runtime --features sqlite,postgres --lib table::
cargo test -p dz-ui-tests --lib
