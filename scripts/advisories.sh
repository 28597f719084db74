#!/usr/bin/env bash
# Compares Cargo.lock with RustSec's index of known weaknesses. Needs the network, which is why `test.sh` does without it;
# what is known and does not concern dz is listed in `deny.toml`, with the reason. Installs cargo-deny when it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/deny.sh advisories
