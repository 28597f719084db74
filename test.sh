#!/usr/bin/env bash
# Runs every check of the project. Installs what is missing (PostgreSQL, libpq, PgBouncer, HAProxy, Chromium and its driver, Java, Python, Node.js, cargo-deny),
# starts a PostgreSQL server of its own on a free loopback port in a temporary folder, and stops it again.
# With DZ_TEST_MINUTES=80, checks that would end after 80 minutes are skipped, and named at the end.
set -euo pipefail
started=$(date +%s)
cd "$(dirname "$0")"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

find_initdb() { ls -1 /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1; }

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
command -v python3 >/dev/null || missing+=(python3)
command -v npm >/dev/null || missing+=(nodejs npm)
[ -n "$(find_initdb)" ] || missing+=(postgresql)
[ -e /usr/include/postgresql/libpq-fe.h ] || missing+=(libpq-dev)
if [ "${#missing[@]}" -gt 0 ]; then
  echo "== installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
# Without them the tests between clients, instances and the database report that the program is not installed.
optional=()
[ -x /usr/sbin/pgbouncer ] || optional+=(pgbouncer)
[ -x /usr/sbin/haproxy ] || optional+=(haproxy)
# The rules of HTML are checked by a program in Java.
command -v java >/dev/null || optional+=(default-jre-headless)
if [ "${#optional[@]}" -gt 0 ] && ! { as_root apt-get update -qq &&
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${optional[@]}" >/dev/null; }; then
  echo "== The tests of ${optional[*]} are SKIPPED: the packages could not be installed"
fi

work=$(mktemp -d)
bin=$(dirname "$(find_initdb)")
run_pg() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }
cleanup() {
  status=$?
  [ -n "${app:-}" ] && kill "$app" 2>/dev/null || true
  run_pg "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$status"
}
trap cleanup EXIT INT TERM

skipped=()
# True if a check of some minutes fits into DZ_TEST_MINUTES; the minutes are those of a slow machine.
fits() {
  local minutes=$((($(date +%s) - started) / 60 + $2))
  [ -z "${DZ_TEST_MINUTES:-}" ] || [ "$minutes" -le "$DZ_TEST_MINUTES" ] || { echo "== SKIPPED for want of time: $1"; skipped+=("$1"); return 1; }
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

echo "== PostgreSQL"
[ "$(id -u)" = 0 ] && chown postgres "$work"
chmod 755 "$work"
# The folders of interrupted tests disappear with this one.
mkdir -m 1777 "$work/tmp"
export TMPDIR="$work/tmp"
run_pg "$bin/initdb" -D "$work/data" -A trust -U postgres -E UTF8 --locale=C.UTF-8 >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; exit 1; }
port=$(free_port)
run_pg "$bin/pg_ctl" -D "$work/data" -w -l "$work/data/log" \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$work -c fsync=off -c max_connections=2000" start >/dev/null
export DZ_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres"

# A service of object storage for its tests.
npm install --prefix "$work/s3" --no-fund --no-audit --silent s3rver@3.7.1 >/dev/null 2>&1 || true
if [ -d "$work/s3/node_modules/s3rver" ]; then
  export DZ_TEST_S3RVER="$work/s3/node_modules/s3rver"
else
  echo "== The tests of object storage are SKIPPED: the package s3rver of npm could not be installed"
fi

echo "== format"
cargo fmt --all --check

echo "== clippy without optional features"
for engine in sqlite postgres; do
  cargo clippy -p dz-runtime --no-default-features --features "$engine,testing" -- -D warnings
done

echo "== licences, sources and bans of dependencies"
scripts/deny.sh licenses bans sources

echo "== tests"
DZ_SWEEP=wide cargo test --workspace --features postgres,oidc,s3 --no-fail-fast -- --skip every_removed_
# The longest proofs run alone: the applications that other tests of the same program serve take half of the processors.
if fits "the proofs that remove conditions" 8; then
  cargo test --workspace --features postgres,oidc,s3 --no-fail-fast --test app --test graph -- every_removed_
fi

if fits clippy 9; then
  echo "== clippy"
  cargo clippy --workspace --all-targets --features postgres,oidc,s3 -- -D warnings
fi

if fits "the example with its clients" 9; then
  echo "== the example, as the README starts it"
  cargo build --example tasks
  root=$PWD
  app_port=$(free_port)
  (cd "$work" && ROCKET_PORT=$app_port exec "${CARGO_TARGET_DIR:-$root/target}/debug/examples/tasks") >"$work/app.log" 2>&1 &
  app=$!
  for _ in $(seq 100); do
    grep -q '^Sign in: ' "$work/app.log" && break
    kill -0 "$app" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/app.log"
  grep -q "http://127.0.0.1:$app_port" "$work/app.log"
  grep -q '^Sign in: ' "$work/app.log"
  python3 - "$app_port" <<'PY'
import sys, urllib.request
page = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/app").read().decode()
assert "Sign in" in page, page[:400]
PY
  mkdir "$work/clients"
  token=$(cd "$work" && "${CARGO_TARGET_DIR:-$root/target}/debug/examples/tasks" token create mira@fieldwork.example --scope write 2>/dev/null)
  APP_URL="http://127.0.0.1:$app_port" TOKEN=$token \
    tests/clients.sh "${CARGO_TARGET_DIR:-$root/target}/debug/dz" examples/tasks/app.dsl "$work/clients"
  echo "== the API against its own document"
  mkdir "$work/schemathesis"
  tests/schemathesis.sh "http://127.0.0.1:$app_port" "${CARGO_TARGET_DIR:-$root/target}/debug/dz" examples/tasks/app.dsl "$work/schemathesis"
  kill "$app"
  wait "$app" 2>/dev/null || true
  app=
  mkdir "$work/editors"
  tests/editors.sh "${CARGO_TARGET_DIR:-$root/target}/debug/dz" examples/tasks "$work/editors"
  mkdir "$work/mcp"
  tests/mcp.sh "${CARGO_TARGET_DIR:-$root/target}/debug/dz" examples/tasks "$work/mcp"
fi

if fits documentation 5; then
  echo "== documentation"
  RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --features postgres,oidc,s3,testing
fi
for test in ejected_tasks_pass an_ejected_depot an_ejected_application_passes an_ejected_application_with_tenants an_ejected_workshop make_test_of; do
  if fits "an ejected application: $test" 7; then
    echo "== an ejected application: $test"
    cargo test -p dz-cli --test eject -- --ignored "$test"
  fi
done
if fits "a new application" 6; then
  echo "== a new application"
  cargo test -p dz-cli --test new_project -- --ignored
fi

if [ "${#skipped[@]}" -gt 0 ]; then
  printf '== not run for want of time: %s\n' "${skipped[@]}"
  echo "== all other checks passed"
else
  echo "== all checks passed"
fi
