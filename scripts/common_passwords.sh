#!/usr/bin/env bash
# Writes the list of common passwords that accounts refuse from the data of the crate `passwords` 3.1.19 (MIT), whose path is the argument.
# Only the entries of at least 8 characters are kept, because shorter passwords are refused for their length.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
folder=dz-runtime/src/accounts/common_passwords
sed 's/^\["//; s/"\]$//; s/","/\n/g' "$1/data/common-passwords.json" | grep -E '^.{8,}$' | LC_ALL=C sort -u >"$folder/list.txt"
cp "$1/LICENSE" "$folder/LICENSE"
sha256sum "$folder/list.txt"
