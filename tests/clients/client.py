"""The generated Python client against the running example."""

import os
import sys

sys.path.insert(0, sys.argv[1])
from generated.api.tasks import change_task, create_task, delete_task, list_task  # noqa: E402
from generated.client import AuthenticatedClient  # noqa: E402
from generated.models import TaskChanges, TaskInput  # noqa: E402

client = AuthenticatedClient(base_url=os.environ["APP_URL"], token=os.environ["TOKEN"])

listed = list_task.sync(client=client, page_size=2, sort="title")
first = listed.items[0]
assert first.project and listed.page_size == 2, listed

created = create_task.sync_detailed(client=client, body=TaskInput(title="Read the gauge", project=first.project))
assert created.status_code == 201 and created.parsed.title == "Read the gauge", created

version = created.headers["ETag"]
changed = change_task.sync_detailed(client=client, id=created.parsed.id, if_match=version, body=TaskChanges(title="Read it again"))
assert changed.status_code == 200 and changed.parsed.title == "Read it again", changed

refused = change_task.sync_detailed(client=client, id=created.parsed.id, if_match=version, body=TaskChanges(title="Too late"))
assert refused.status_code == 412 and refused.parsed.code == "STALE", refused

removed = delete_task.sync_detailed(client=client, id=created.parsed.id)
assert removed.status_code == 204, removed
print("Python: list, create, change, refusal and delete")
