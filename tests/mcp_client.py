"""The Python SDK of the Model Context Protocol as a client of `dz mcp`: both revisions over pipes, and HTTP.

    python mcp_client.py path/to/dz FOLDER-OF-A-PROJECT
"""

import asyncio
import subprocess
import sys

from mcp import Client, StdioServerParameters


async def ask(target, mode, revision):
    async with Client(target, mode=mode, read_timeout_seconds=30) as client:
        assert client.protocol_version == revision, client.protocol_version
        # The name of the server is optional since the revision of 2026.
        info = client.server_info
        assert (mode != "legacy" and info is None) or info.name == "dz", info
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["graph"], tools
        # The client itself checks the structured content against the output schema.
        result = await client.call_tool("graph", {"operation": "topology", "entity": "Task"})
        assert not result.is_error and "task_list" in result.structured_content["surfaces"], result
        wrong = await client.call_tool("graph", {"operation": "topolgy"})
        assert wrong.is_error and "topology" in wrong.structured_content["error"], wrong
        resources = (await client.list_resources()).resources
        declaration = next(it for it in resources if str(it.uri).startswith("file:"))
        text = (await client.read_resource(declaration.uri)).contents[0].text
        assert "entity Task" in text
        prompts = (await client.list_prompts()).prompts
        assert {"add_entity", "review_access"} <= {it.name for it in prompts}, prompts
        prompt = await client.get_prompt("review_access", {"entity": "Task"})
        assert "Task" in prompt.messages[0].content.text


async def main(dz, folder):
    for mode, revision in [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]:
        await ask(StdioServerParameters(command=dz, args=["mcp", "--file", "app.dsl"], cwd=folder), mode, revision)
        print(f"stdio, {mode}: {revision}")
    server = subprocess.Popen([dz, "mcp", "--file", "app.dsl", "--http", "0"], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        address = server.stderr.readline().strip()
        for mode, revision in [("legacy", "2025-11-25"), ("auto", "2026-07-28")]:
            await ask(address, mode, revision)
            print(f"HTTP, {mode}: {revision}")
    finally:
        server.terminate()
        server.wait()


asyncio.run(main(*sys.argv[1:]))
