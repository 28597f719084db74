#!/usr/bin/env bash
# Sends the example, as several people, what its own OpenAPI document allows and what it does not, and looks for answers
# that the document does not know.
#
#   tests/schemathesis.sh http://127.0.0.1:8000 path/to/dz examples/tasks/app.dsl FOLDER [SECONDS PER PERSON]
#
# FOLDER takes the tools, from PyPI. Where PyPI does not answer, only the document itself is compared and nothing is sent.
set -euo pipefail
base=$1 dz=$2 declaration=$3 folder=$4 seconds=${5:-15}

session() { # prints the session cookie of an account
  python3 - "$base" "$1" "$2" <<'PY'
import json, sys, urllib.request
base, email, password = sys.argv[1:]
body = json.dumps({"email": email, "password": password}).encode()
headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
answer = urllib.request.urlopen(urllib.request.Request(base + "/auth/login", body, headers))
print(answer.headers["Set-Cookie"].split(";")[0])
PY
}

manager=$(session mira@fieldwork.example "manage the field")
surveyor=$(session tomas@fieldwork.example "walk the line")
customer=$(session sam@harbour.example "watch the harbour")

echo "== OpenAPI: the application and the command line give the same bytes"
"$dz" specs openapi "$declaration" >"$folder/openapi.json"
python3 - "$base" "$manager" "$folder/openapi.json" <<'PY'
import sys, urllib.request
base, cookie, path = sys.argv[1:]
served = urllib.request.urlopen(urllib.request.Request(base + "/api/openapi.json", headers={"Cookie": cookie})).read()
assert served == open(path, "rb").read(), "the documents differ"
PY

if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install -q --disable-pip-version-check \
  "schemathesis>=4.20,<5" "openapi-spec-validator>=0.7,<1"; } >"$folder/pip.log" 2>&1; then
  echo "== Schemathesis is SKIPPED: its packages could not be installed from PyPI"
  tail -n 3 "$folder/pip.log"
  exit 0
fi

echo "== OpenAPI: the document is valid"
"$folder/venv/bin/openapi-spec-validator" "$folder/openapi.json"

send() { # as whom, which cookie
  echo "== Schemathesis as $1, $seconds s"
  # Signing out or changing the password would end the very session that asks.
  "$folder/venv/bin/schemathesis" run "$folder/openapi.json" --url "$base" --max-time "$seconds" --seed 7 \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
    --exclude-path-regex '^/auth/(login|logout|password|reset|forgot|verify|register|sessions/end|tokens/end|tenant|factor/(begin|confirm|remove|reset))$' --suppress-health-check all --warnings off \
    --generation-database none --request-timeout 20 -H "Sec-Fetch-Site: same-origin" ${2:+-H "Cookie: $2"} \
    >"$folder/$1.log" 2>&1 || { cat "$folder/$1.log"; exit 1; }
  grep -E 'Test cases|generated|passed' "$folder/$1.log" | tail -n 4
}
send anonymous ""
send manager "$manager"
send surveyor "$surveyor"
send customer "$customer"
