"""Contract tests: Schemathesis sends requests that follow the API description, and some that do not.

The backend must answer each request as its description says, and never with a server error. The script starts the
backend over a database of its own, and runs Schemathesis without an account and with an account that has every role.
`CONTRACT_SECONDS` limits each run, and `CONTRACT_SEED` repeats one.
"""

import json
import os
import pathlib
import secrets
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BACKEND = ROOT / "backend"
ROLES = %ROLES%
ACCOUNT_FIELDS = %FIELDS%

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

# These would end the session that sends the requests.
LEFT_OUT = r"^/auth/(login|logout|password|tenant|sessions/end|factor/.*)$"


def cargo(*arguments: str) -> list[str]:
    features = shlex.split(os.environ.get("FEATURES", ""))
    return ["cargo", "run", "--quiet", *features, "--", *arguments]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def create_account(environment: dict[str, str], email: str, password: str) -> None:
    settings = [part for field in ACCOUNT_FIELDS for part in ("--set", field)]
    create = cargo("user", "create", email, "--password", password, *settings)
    subprocess.run(create, cwd=BACKEND, env=environment, check=True)
    for role in ROLES:
        grant = cargo("user", "grant", email, role)
        subprocess.run(grant, cwd=BACKEND, env=environment, check=True)


def wait_until_ready(base: str, server: subprocess.Popen) -> None:
    for _ in range(300):
        if server.poll() is not None:
            sys.exit(f"the backend ended with status {server.returncode}")
        try:
            urllib.request.urlopen(f"{base}/auth/me")
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("the backend does not answer")


def sign_in(base: str, email: str, password: str) -> str:
    body = json.dumps({"email": email, "password": password}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{base}/auth/login", body, headers)
    with urllib.request.urlopen(request) as response:
        return response.headers["Set-Cookie"].split(";")[0]


def run_schemathesis(base: str, cookie: str | None) -> int:
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    command = [program, "run", BACKEND / "openapi.json", "--url", base]
    command += ["--checks", CHECKS, "--exclude-path-regex", LEFT_OUT, "--phases", "coverage,fuzzing"]
    command += ["--max-time", os.environ.get("CONTRACT_SECONDS", "30"), "--seed", os.environ.get("CONTRACT_SEED", "1")]
    command += ["--max-examples", "20", "--generation-database", "none", "--suppress-health-check", "all"]
    command += ["--request-timeout", "30", "--warnings", "off", "-H", "Sec-Fetch-Site: same-origin"]
    if cookie is not None:
        command += ["-H", f"Cookie: {cookie}"]
    return subprocess.run(command, cwd=ROOT).returncode


def main() -> int:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    email, password = f"contract-{secrets.token_hex(4)}@example.com", secrets.token_hex(16)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "ROCKET_PORT": str(port), "ROCKET_ADDRESS": "127.0.0.1"}
        environment["ROCKET_LOG_LEVEL"] = "off"
        if "postgres" not in os.environ.get("FEATURES", ""):
            environment["DATABASE_URL"] = f"sqlite://{folder}/contract.db"
        create_account(environment, email, password)
        server = subprocess.Popen(cargo("serve"), cwd=BACKEND, env=environment)
        try:
            wait_until_ready(base, server)
            failed = [run_schemathesis(base, cookie) for cookie in (None, sign_in(base, email, password))]
        finally:
            server.terminate()
            server.wait()
    return max(failed)


if __name__ == "__main__":
    sys.exit(main())
