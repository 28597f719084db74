#!/usr/bin/env python3
"""Opens idle streams of server-sent events on the application `soak`, and reports the memory, the descriptors and the first limit.

    cargo build --release -p dz-benches --bin soak
    scripts/idle_streams.py --streams 10000 target/release/soak

The streams are subscriptions of GraphQL. When all are open, a parcel is created, and the time is measured until every stream has its
event. PostgreSQL and the instance are started as by `scripts/soak.py`.
"""
import argparse
import asyncio
import json
import os
import resource
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import soak  # noqa: E402

QUERY = json.dumps({"query": "subscription { parcelChanged { kind id } }"})


class Streams:
    def __init__(self, instance, cookie):
        self.instance, self.cookie = instance, cookie
        self.open, self.refused, self.events, self.closed, self.writers = 0, {}, 0, 0, []

    async def hold(self, begun):
        """Opens a stream, and reads it until it ends."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.instance.port)
        except OSError as error:
            self.refused[error.strerror] = self.refused.get(error.strerror, 0) + 1
            begun.release()
            return
        self.writers.append(writer)
        writer.write(
            f"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:{self.instance.port}\r\nAccept: text/event-stream\r\nCookie: {self.cookie}\r\n"
            f"Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nContent-Length: {len(QUERY)}\r\n\r\n{QUERY}".encode())
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            status = head.split()[1].decode()
        except (OSError, asyncio.IncompleteReadError):
            status = "closed"
        begun.release()
        if status != "200":
            self.refused[status] = self.refused.get(status, 0) + 1
            return
        self.open += 1
        try:
            while data := await reader.read(65536):
                self.events += data.count(b"event: next")
        except OSError:
            pass
        self.closed += 1

    async def run(self, count, together, create):
        begun, tasks = asyncio.Semaphore(together), []
        start = time.time()
        for number in range(count):
            await begun.acquire()
            tasks.append(asyncio.create_task(self.hold(begun)))
            if number % 1000 == 999:
                self.show(start)
        while self.open + sum(self.refused.values()) < count:
            await asyncio.sleep(0.2)
        self.show(start)
        await asyncio.sleep(35)
        print("after 35 seconds without an event:", end=" ")
        self.show(start)
        start = time.time()
        await asyncio.to_thread(create)
        while self.events < self.open - self.closed and time.time() - start < 120:
            await asyncio.sleep(0.05)
        print(f"{self.events} of {self.open} streams have their event after {time.time() - start:.1f} s; {self.closed} are closed")
        for task in tasks:
            task.cancel()

    def show(self, start):
        found = self.instance.sample() or (0, 0, 0)
        print(f"{time.time() - start:5.1f} s: {self.open} open, refused: {self.refused or 'none'}; {found[0]:.0f} MB, {found[1]} descriptors, "
              f"{found[2]} threads", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the application: target/release/soak")
    parser.add_argument("--streams", type=int, default=10_000, help="the number of streams")
    parser.add_argument("--together", type=int, default=50, help="the number of streams that are opened at the same time")
    parser.add_argument("--descriptors", type=int, default=20_000, help="the limit of file descriptors of both programs")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(options.descriptors, hard), hard))
    folder = tempfile.mkdtemp(prefix="dz-streams-")
    database = soak.Database(folder)
    settings = f",streams={options.streams + 100},streams_of_account={options.streams + 100}"
    instance = soak.Instance(1, os.path.abspath(options.program), folder, database.url, settings)
    try:
        instance.start()
        if not instance.wait():
            sys.exit(f"the instance does not start; its log is in {instance.folder}")
        holder = argparse.Namespace(seed=1, notes=soak.Notes(), instances=[instance], pause=0)
        client = soak.Client(1, holder)
        client.send("sign in", "POST", "/auth/login", {"email": soak.EMAIL, "password": soak.PASSWORD})
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        asyncio.run(Streams(instance, cookie).run(options.streams, options.together, client.create))
    finally:
        if instance.child and instance.child.poll() is None:
            instance.kill()
        database.crash()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
