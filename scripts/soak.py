#!/usr/bin/env python3
"""A soak test: mixed load on two instances with one PostgreSQL server, which this script starts, with random kills of both.

    cargo build -p dz-benches --bin soak
    scripts/soak.py --minutes 60 target/debug/soak

Each acknowledged write is noted. At the end the load stops, and the script compares the database with its notes: every acknowledged row
exists with its last acknowledged value, each row has its job, its events and its process, and nothing was done twice that must be done
once. The memory and the file descriptors of the instances are printed every half minute. The exit code is 1 if anything is missing.
"""
import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

EMAIL, PASSWORD = "olga@parcels.example", "counts every parcel"

def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


class Database:
    """A PostgreSQL server of its own."""

    def __init__(self, folder):
        self.folder, self.port = os.path.join(folder, "database"), free_port()
        self.bin = os.environ.get("DZ_POSTGRES_BIN") or newest_postgres()
        # The server refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        os.makedirs(self.folder)
        if self.user:
            os.chmod(folder, 0o755)
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", self.folder, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        with open(os.path.join(self.folder, "postgresql.conf"), "a") as conf:
            conf.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n")
        self.start()
        self.sql("CREATE ROLE soak LOGIN NOSUPERUSER NOBYPASSRLS", "postgres")
        self.sql("CREATE DATABASE soak OWNER soak", "postgres")
        self.url = f"postgres://soak@127.0.0.1:{self.port}/soak"

    def run(self, program, *words):
        command = [*self.user, os.path.join(self.bin, program), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.run("pg_ctl", "-D", self.folder, "-w", "-t", "120", "-l", os.path.join(self.folder, "log"), "start")

    def crash(self):
        """Ends every process of the server at once, as a loss of power does to them."""
        self.run("pg_ctl", "-D", self.folder, "-w", "-m", "immediate", "stop")

    def sql(self, text, database="soak"):
        url = f"postgres://postgres@127.0.0.1:{self.port}/{database}"
        words = [os.path.join(self.bin, "psql"), "-qAtX", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", text]
        found = subprocess.run(words, check=True, capture_output=True, text=True)
        return [line.split("\t") for line in found.stdout.splitlines()]


def newest_postgres():
    root = "/usr/lib/postgresql"
    versions = sorted((it for it in os.listdir(root) if it.isdigit()), key=int) if os.path.isdir(root) else []
    if not versions:
        sys.exit("PostgreSQL is not installed: name the folder of its programs in DZ_POSTGRES_BIN")
    return os.path.join(root, versions[-1], "bin")


class Instance:
    """A process of the application."""

    def __init__(self, number, program, folder, url, settings=""):
        self.settings = settings
        self.number, self.program, self.folder = number, program, os.path.join(folder, f"instance-{number}")
        self.port, self.url, self.child, self.starts = free_port(), url, None, 0
        self.samples = []
        os.makedirs(self.folder)

    def start(self):
        env = dict(os.environ, DATABASE_URL=self.url, ROCKET_PORT=str(self.port), ROCKET_ADDRESS="127.0.0.1", ROCKET_LOG_LEVEL="off")
        env.update(ROCKET_DZ="{files=\"%s\",worker=true,log_level=\"warn\"%s}" % (
            os.path.join(os.path.dirname(self.folder), "files"), self.settings))
        # As docs/running.md recommends.
        log = open(os.path.join(self.folder, "log"), "a")
        self.child = subprocess.Popen([self.program], cwd=self.folder, env=env, stdout=log, stderr=log)
        log.close()
        self.starts += 1
        self.started = time.time()

    def answers(self):
        try:
            it = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            it.request("GET", "/health/ready")
            return it.getresponse().status == 200
        except OSError:
            return False
        except http.client.HTTPException:
            return False

    def wait(self, seconds=120):
        end = time.time() + seconds
        while not self.answers():
            if self.child.poll() is not None:
                # The database was not ready yet; an operating system's supervisor would start it again.
                self.start()
            if time.time() > end:
                return False
            time.sleep(0.2)
        return True

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()

    def sample(self):
        """Memory in megabytes, file descriptors, threads."""
        try:
            with open(f"/proc/{self.child.pid}/status") as status:
                text = status.read()
            files = len(os.listdir(f"/proc/{self.child.pid}/fd"))
        except OSError:
            return None
        number = lambda name: int(re.search(rf"^{name}:\s+(\d+)", text, re.M).group(1))
        return number("VmRSS") / 1024, files, number("Threads")


class Notes:
    """What was acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.parcels, self.unsure = {}, set()
        self.counts, self.answers, self.slow = {}, {}, 0.0
        self.unexpected = []

    def count(self, kind, status, seconds):
        with self.lock:
            at = (kind, status)
            self.counts[at] = self.counts.get(at, 0) + 1
            self.slow = max(self.slow, seconds)

    def created(self, code, key, weight):
        with self.lock:
            self.parcels[code] = {"id": key, "weights": {weight}, "confirmed": {weight}, "last": (1, weight), "state": {"posted"},
                                  "deleted": False}

    def changed(self, parcel, weight, version=0):
        """An acknowledged weight, with the version of the row that has it."""
        with self.lock:
            parcel["confirmed"].add(weight)
            parcel["last"] = max(parcel["last"], (version, weight))

    def known(self, random_):
        with self.lock:
            return random_.choice(list(self.parcels.items())) if self.parcels else None


class Client(threading.Thread):
    """A user whose requests go to either instance."""

    def __init__(self, number, soak):
        super().__init__(daemon=True)
        self.number, self.soak, self.random = number, soak, random.Random(soak.seed * 1000 + number)
        self.cookies, self.made, self.depots = {}, 0, []

    def run(self):
        while not self.soak.done.is_set():
            try:
                self.step()
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.soak.notes.count("no answer", type(error).__name__, 0)
                time.sleep(0.2)
            time.sleep(self.random.uniform(0, 2 * self.soak.pause))

    def send(self, kind, method, path, body=None, headers=None):
        instance = self.random.choice(self.soak.instances)
        link = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=30)
        sent = {"Accept": "application/json", "Sec-Fetch-Site": "same-origin", **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None and not isinstance(body, (str, bytes)):
            body, sent["Content-Type"] = json.dumps(body), "application/json"
        start = time.time()
        try:
            link.request(method, path, body, sent)
            answer = link.getresponse()
            text = answer.read().decode()
        finally:
            link.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                first = value.split(";")[0].split("=", 1)
                self.cookies[first[0]] = first[1]
        self.soak.notes.count(kind, answer.status, time.time() - start)
        if answer.status >= 500 and answer.status != 503:
            with self.soak.notes.lock:
                self.soak.notes.unexpected.append(f"{method} {path}: {answer.status} {text[:300]}")
        return answer.status, text, dict(answer.getheaders())

    def step(self):
        if not self.cookies:
            status, _, _ = self.send("sign in", "POST", "/auth/login", {"email": EMAIL, "password": PASSWORD})
            if status >= 400:
                self.cookies = {}
                time.sleep(0.5)
            return
        steps = {self.create: 3, self.change: 3, self.transition: 1, self.graphql_create: 2, self.import_: 0.5, self.bulk: 0.5,
                 self.delete: 0.3, self.road: 0.5, self.read: 3, self.page: 3, self.graphql_read: 2, self.graph: 1, self.form: 1}
        self.random.choices(list(steps), list(steps.values()))[0]()

    def known(self):
        """A parcel with a known key that was not deleted."""
        known = self.soak.notes.known(self.random)
        return known if known and known[1]["id"] and not known[1]["deleted"] else None

    def code(self):
        self.made += 1
        return f"P-{self.number}-{self.made}"

    def weight(self):
        return self.random.randrange(1, 1_000_000)

    def unsure(self, code):
        with self.soak.notes.lock:
            self.soak.notes.unsure.add(code)

    def create(self):
        code, weight = self.code(), self.weight()
        self.unsure(code)
        key = {"Idempotency-Key": f"{self.soak.seed}-{code}"}
        for _ in range(4):
            try:
                status, text, _ = self.send("create", "POST", "/api/parcels", {"code": code, "weight": weight}, key)
            except (OSError, http.client.HTTPException):
                # The key makes it safe to send it again.
                time.sleep(0.5)
                continue
            if status == 201:
                self.soak.notes.created(code, json.loads(text)["id"], weight)
            if status not in (503, 409):
                return
            time.sleep(0.5)

    def graphql(self, kind, query, variables=None):
        return self.send(kind, "POST", "/graphql", {"query": query, "variables": variables or {}})

    def graphql_create(self):
        code, weight = self.code(), self.weight()
        self.unsure(code)
        query = "mutation($input: ParcelInput!) { createParcel(input: $input) { id code weight } }"
        status, text, _ = self.graphql("graphql create", query, {"input": {"code": code, "weight": weight}})
        made = (json.loads(text).get("data") or {}).get("createParcel") if status == 200 else None
        if made:
            self.soak.notes.created(code, made["id"], weight)

    def import_(self):
        rows = [(self.code(), self.weight()) for _ in range(5)]
        for code, _ in rows:
            self.unsure(code)
        body = "code,weight\n" + "".join(f"{code},{weight}\n" for code, weight in rows)
        status, _, _ = self.send("import", "POST", "/api/parcels/import", body, {"Content-Type": "text/csv"})
        if status == 200:
            for code, weight in rows:
                self.soak.notes.created(code, None, weight)

    def bulk(self):
        known = [known for known in (self.known() for _ in range(3)) if known]
        parcels = list({id(parcel): parcel for _, parcel in known}.values())
        weight = self.weight()
        with self.soak.notes.lock:
            for parcel in parcels:
                parcel["weights"].add(weight)
        body = {"action": "update", "ids": [it["id"] for it in parcels], "set": {"weight": weight}}
        status, text, _ = self.send("bulk", "POST", "/api/parcels/bulk", body)
        if status == 200:
            for parcel, result in zip(parcels, json.loads(text)["results"]):
                if result["status"] == 200:
                    self.soak.notes.changed(parcel, weight)

    def form(self):
        code, weight = self.code(), self.weight()
        html = {"Accept": "text/html"}
        status, text, _ = self.send("form", "GET", "/app/parcel_create", None, html)
        if status != 200:
            return
        hidden = dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"', text))
        self.unsure(code)
        body = urllib.parse.urlencode({**hidden, "code": code, "weight": weight})
        sent = {**html, "Content-Type": "application/x-www-form-urlencoded"}
        status, text, headers = self.send("form", "POST", "/app/parcel_create", body, sent)
        place = {name.lower(): value for name, value in headers.items()}.get("location", "")
        found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", place)
        if status == 303 and found:
            self.soak.notes.created(code, found.group(0), weight)

    def change(self):
        known = self.known()
        if not known:
            return
        code, parcel = known
        weight = self.weight()
        with self.soak.notes.lock:
            # Until the answer both values are possible.
            parcel["weights"].add(weight)
        status, text, headers = self.send("change", "PATCH", f"/api/parcels/{parcel['id']}", {"weight": weight})
        if status != 200:
            return
        tag = {name.lower(): value for name, value in headers.items()}.get("etag", "")
        self.soak.notes.changed(parcel, weight, int(re.sub(r"\D", "", tag) or 0))
        if json.loads(text)["weight"] != weight:
            with self.soak.notes.lock:
                self.soak.notes.unexpected.append(f"{code}: the answer to weight {weight} is {text[:200]}")

    def transition(self):
        known = self.known()
        if not known:
            return
        _, parcel = known
        to = self.random.choice(["sorted", "delivered"])
        with self.soak.notes.lock:
            parcel["state"].add(to)
        self.send("transition", "POST", f"/api/parcels/{parcel['id']}/transitions/{to}", {})

    def delete(self):
        known = self.known()
        if not known:
            return
        _, parcel = known
        with self.soak.notes.lock:
            # From now on it may be gone.
            parcel["deleted"] = parcel["deleted"] or "perhaps"
        status, _, _ = self.send("delete", "DELETE", f"/api/parcels/{parcel['id']}")
        if status in (200, 204):
            with self.soak.notes.lock:
                parcel["deleted"] = True

    def road(self):
        name = f"D-{self.number}-{len(self.depots)}"
        if len(self.depots) < 30:
            status, text, _ = self.send("depot", "POST", "/api/depots", {"name": name})
            if status == 201:
                self.depots.append(json.loads(text)["id"])
                with self.soak.notes.lock:
                    self.soak.notes.answers.setdefault("depots", set()).add(self.depots[-1])
        if len(self.depots) > 1:
            start, goal = self.random.sample(self.depots, 2)
            status, text, _ = self.send("road", "POST", "/api/roads", {"start": start, "goal": goal, "hours": 3})
            if status == 201:
                with self.soak.notes.lock:
                    self.soak.notes.answers.setdefault("roads", set()).add(json.loads(text)["id"])

    def read(self):
        known = self.known()
        if not known or self.random.random() < 0.5:
            self.send("list", "GET", f"/api/parcels?page_size=20&sort=-code&weight__gt={self.weight()}")
            return
        code, parcel = known
        status, text, _ = self.send("read", "GET", f"/api/parcels/{parcel['id']}")
        if status == 404 and not parcel["deleted"]:
            with self.soak.notes.lock:
                self.soak.notes.unexpected.append(f"{code} was acknowledged, and cannot be read")

    def page(self):
        path = self.random.choice(["/app/parcel_list", "/app/office", "/app/parcel_list?q=P-1", "/app/parcel_create"])
        self.send("page", "GET", path, None, {"Accept": "text/html"})

    def graphql_read(self):
        self.graphql("graphql", "{ parcels(limit: 10, sort: \"-code\") { id code weight depot { name } } }")

    def graph(self):
        if self.depots:
            at = self.random.choice(self.depots)
            self.send("graph", "GET", f"/api/depots/{at}/graph?depth=2")


class Soak:
    def __init__(self, options):
        self.options, self.seed, self.pause = options, options.seed, options.pause
        self.random, self.done, self.notes = random.Random(options.seed), threading.Event(), Notes()
        self.folder = tempfile.mkdtemp(prefix="dz-soak-")
        self.kills = {"instance": 0, "database": 0, "pause": 0}

    def run(self):
        self.database = Database(self.folder)
        program = os.path.abspath(self.options.program)
        self.instances = [Instance(number, program, self.folder, self.database.url) for number in (1, 2)]
        try:
            for instance in self.instances:
                instance.start()
                if not instance.wait():
                    sys.exit(f"instance {instance.number} does not start; its log is in {instance.folder}")
            print(f"seed {self.seed}, folder {self.folder}", flush=True)
            clients = [Client(number, self) for number in range(1, self.options.clients + 1)]
            for client in clients:
                client.start()
            self.disturb()
            self.done.set()
            for client in clients:
                client.join(60)
            return self.check()
        finally:
            self.done.set()
            for instance in self.instances:
                if instance.child and instance.child.poll() is None:
                    instance.kill()
            self.database.crash()

    def disturb(self):
        """Kills an instance or the server after a random time, and starts it again, until the time is over."""
        end = time.time() + self.options.minutes * 60
        # The last minutes show the memory without kills.
        calm = end - min(120, self.options.minutes * 12)
        next_kill, next_sample = time.time() + self.wait_time(), time.time()
        while time.time() < end:
            time.sleep(0.5)
            now = time.time()
            if now >= next_sample:
                self.sample(now)
                next_sample = now + 30
            for instance in self.instances:
                if instance.child.poll() is not None:
                    self.notes.unexpected.append(f"instance {instance.number} ended with {instance.child.returncode}")
                    instance.start()
            if now >= next_kill and now < calm:
                self.kill()
                next_kill = time.time() + self.wait_time()
        self.sample(time.time())

    def wait_time(self):
        return self.random.uniform(0.5, 1.5) * self.options.every

    def kill(self):
        if self.random.random() < 0.35:
            self.kills["database"] += 1
            print(f"{self.clock()} the database is killed", flush=True)
            self.database.crash()
            time.sleep(self.random.uniform(0, 3))
            self.database.start()
            return
        instance = self.random.choice(self.instances[self.options.keep:])
        if self.random.random() < self.options.pauses:
            self.pause_process(instance)
            return
        self.kills["instance"] += 1
        print(f"{self.clock()} instance {instance.number} is killed", flush=True)
        instance.kill()
        time.sleep(self.random.uniform(0, 2))
        instance.start()
        if not instance.wait():
            self.notes.unexpected.append(f"instance {instance.number} does not start again")

    def pause_process(self, instance):
        """Stops a process for longer than its leases last, and lets it continue, as when a machine is moved. Others do its work meanwhile."""
        self.kills["pause"] += 1
        print(f"{self.clock()} instance {instance.number} is paused", flush=True)
        instance.child.send_signal(signal.SIGSTOP)
        time.sleep(45)
        instance.child.send_signal(signal.SIGCONT)
        print(f"{self.clock()} instance {instance.number} continues", flush=True)

    def clock(self):
        return time.strftime("%H:%M:%S")

    def sample(self, now):
        words = []
        for instance in self.instances:
            found = instance.sample()
            if found:
                instance.samples.append((instance.starts, now - instance.started, *found))
                words.append(f"instance {instance.number}: {found[0]:.0f} MB, {found[1]} descriptors, {found[2]} threads")
        total = sum(self.notes.counts.values())
        print(f"{self.clock()} {total} requests, {len(self.notes.parcels)} parcels; {'; '.join(words)}", flush=True)

    def check(self):
        self.settle()
        wrong = list(self.notes.unexpected)
        rows = {code: (key, int(weight), state, int(version)) for key, code, weight, state, version in self.database.sql(
            "SELECT id, code, weight, state, dz_version FROM parcels")}
        present, deleted = 0, 0
        for code, parcel in self.notes.parcels.items():
            row = rows.get(code)
            if parcel["deleted"] is True:
                deleted += 1
                if row:
                    wrong.append(f"{code} was deleted, and exists")
                continue
            if not row:
                if not parcel["deleted"]:
                    wrong.append(f"{code} was acknowledged, and is lost")
                continue
            present += 1
            if parcel["id"] not in (None, row[0]) or row[1] not in parcel["weights"] or row[2] not in parcel["state"]:
                wrong.append(f"{code} is {row}, and should be {parcel}")
            version, weight = parcel["last"]
            if row[3] < version or (row[3] == version and row[1] != weight):
                wrong.append(f"{code} is {row}, and its version {version} with the weight {weight} was acknowledged")
        for code in rows:
            if code not in self.notes.parcels and code not in self.notes.unsure:
                wrong.append(f"{code} exists, and was never sent")
        for table in ("depots", "roads"):
            keys = {row[0] for row in self.database.sql(f"SELECT id FROM {table}")}
            wrong.extend(f"{table}: {key} is lost" for key in self.notes.answers.get(table, set()) - keys)
        wrong.extend(self.check_work())
        self.report(wrong, present, deleted)
        return 1 if wrong else 0

    def check_work(self):
        """Every parcel that was ever created has its slip, its events and its two stamps."""
        count = lambda table: {row[0]: int(row[1]) for row in self.database.sql(f"SELECT parcel, count(*) FROM {table} GROUP BY parcel")}
        slips, stamps = count("slips"), count("stamps")
        weights = {(code, int(weight)) for code, weight in self.database.sql("SELECT parcel, weight FROM heards")}
        gone = {code for code, parcel in self.notes.parcels.items() if parcel["deleted"]}
        for code in self.notes.parcels:
            if slips.get(code) != 1:
                yield f"{code} has {slips.get(code, 0)} slips"
            lost = {weight for weight in self.notes.parcels[code]["confirmed"] if (code, weight) not in weights}
            if lost:
                yield f"{code} has no event of the weights {lost}"
            # The steps of a run whose row was deleted fail.
            if stamps.get(code) != 2 and code not in gone:
                yield f"{code} has {stamps.get(code, 0)} stamps"
            if stamps.get(code, 0) > 2:
                yield f"{code} has {stamps[code]} stamps"
        created = {row[0] for row in self.database.sql("SELECT DISTINCT cause FROM dz_runs")}
        total = int(self.database.sql("SELECT count(*) FROM dz_runs")[0][0])
        if len(created) != total:
            yield f"{total} runs have {len(created)} causes"
        dead = self.database.sql("SELECT subscriber, event, error FROM dz_dead_letters")
        for row in dead:
            yield f"dead letter: {row}"

    def settle(self):
        """Waits until no event, job or run is open."""
        for instance in self.instances:
            instance.wait()
        end = time.time() + 300
        queries = ["SELECT count(*) FROM dz_outbox", "SELECT count(*) FROM dz_jobs WHERE state IN ('queued', 'running')",
                   "SELECT count(*) FROM dz_runs WHERE status NOT IN ('completed', 'failed', 'cancelled')"]
        while time.time() < end:
            open_ = [int(self.database.sql(query)[0][0]) for query in queries]
            if not any(open_):
                return
            print(f"{self.clock()} open: {open_[0]} events, {open_[1]} jobs, {open_[2]} runs", flush=True)
            time.sleep(3)
        self.notes.unexpected.append(f"after five minutes {open_[0]} events, {open_[1]} jobs and {open_[2]} runs are open")

    def report(self, wrong, present, deleted):
        notes = self.notes
        print("\n| request | status | count |\n|---|---|---|")
        for (kind, status), count in sorted(notes.counts.items(), key=str):
            print(f"| {kind} | {status} | {count} |")
        print("\n| instance | start | minutes | memory at the start and the end, MB | most | descriptors at the start and the end | most |")
        print("|---|---|---|---|---|---|---|")
        for instance in self.instances:
            for start in sorted({it[0] for it in instance.samples}):
                # The first seconds of a process fill its caches and pools.
                of = [it for it in instance.samples if it[0] == start and it[1] > 20] or [it for it in instance.samples if it[0] == start]
                memory, files = [it[2] for it in of], [it[3] for it in of]
                print(f"| {instance.number} | {start} | {of[-1][1] / 60:.1f} | {memory[0]:.0f} → {memory[-1]:.0f} | {max(memory):.0f} | "
                      f"{files[0]} → {files[-1]} | {max(files)} |")
        print(f"\n{len(notes.parcels)} acknowledged parcels: {present} present, {deleted} deleted as acknowledged; "
              f"{self.kills['instance']} kills of instances, {self.kills['database']} of the database, {self.kills['pause']} pauses; "
              f"slowest answer {notes.slow:.1f} s")
        for line in wrong[:50]:
            print(f"WRONG: {line}")
        print(f"{len(wrong)} findings")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the application: target/debug/soak")
    parser.add_argument("--minutes", type=float, default=60, help="the length of the load")
    parser.add_argument("--clients", type=int, default=8, help="the number of users")
    parser.add_argument("--pause", type=float, default=0.2, help="the average pause of a user between two requests, in seconds")
    parser.add_argument("--every", type=float, default=40, help="the average time between two kills, in seconds")
    parser.add_argument("--pauses", type=float, default=0, help="the share of kills of instances that are pauses of 45 seconds instead")
    parser.add_argument("--keep", type=int, choices=[0, 1], default=0,
                        help="1: only instance 2 is killed, so that the memory of instance 1 is that of one process over the whole time")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="repeats the choices of a run")
    sys.exit(Soak(parser.parse_args()).run())


if __name__ == "__main__":
    main()
