#!/usr/bin/env bash
# Lets the Python SDK of the Model Context Protocol talk to `dz mcp`.
#
#   tests/mcp.sh path/to/dz FOLDER-OF-A-PROJECT FOLDER
#
# FOLDER takes the SDK, from PyPI. Where PyPI does not answer, nothing is tested.
set -euo pipefail
dz=$1 project=$2 folder=$3

if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install -q --disable-pip-version-check "mcp>=2.3,<3"; } \
  >"$folder/pip.log" 2>&1; then
  echo "== The client of the Model Context Protocol is SKIPPED: its packages could not be installed from PyPI"
  tail -n 3 "$folder/pip.log"
  exit 0
fi

echo "== the Python SDK of the Model Context Protocol against dz mcp"
"$folder/venv/bin/python" "$(dirname "$0")/mcp_client.py" "$dz" "$project"
