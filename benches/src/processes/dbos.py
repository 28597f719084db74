"""Workflows of ten steps with DBOS, on the database of the address; prints steps per second of some rounds."""

import sys
import time

from dbos import DBOS

URL, RUNS, ROUNDS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
DBOS(config={"name": "bench", "system_database_url": URL, "log_level": "ERROR", "run_admin_server": False})


@DBOS.step()
def add(n: int) -> int:
    return n + 1


@DBOS.workflow()
def chain(n: int) -> int:
    for _ in range(10):
        n = add(n)
    return n


DBOS.launch()
for _ in range(ROUNDS):
    start = time.perf_counter()
    handles = [DBOS.start_workflow(chain, n) for n in range(RUNS)]
    assert [handle.get_result() for handle in handles] == [n + 10 for n in range(RUNS)]
    print(RUNS * 10 / (time.perf_counter() - start), flush=True)
DBOS.destroy()
