"""Calls every tool with the Python client, which compares each result with the schema of the tool."""

import asyncio
import os

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

SITE = os.environ["SITE"]
PRIVATE = f"{SITE}/private"
CALLS = {
    "may_fetch": {"urls": [f"{SITE}/a", PRIVATE], "agent": "claude-user"},
    "explain": {"url": PRIVATE},
    "site": {"authority": SITE},
    "history": {"authority": SITE},
    "lint": {"robots": "User-agent: *\nDisalow: /a\n"},
    "who": {"authority": SITE, "agents": "gptbot,claudebot"},
    "diff": {"authority": SITE, "agents": "gptbot", "since": "now"},
    "crawlers": {"purpose": "ai-train"},
}


def stdio():
    environment = {name: value for name, value in os.environ.items() if name.startswith("VERGERD_")}
    return stdio_client(StdioServerParameters(command=os.environ["VERGERD"], args=["mcp"], env=environment))


async def call_all(name, server, mode):
    async with Client(server, mode=mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == set(CALLS), tools
        for tool, arguments in CALLS.items():
            result = await client.call_tool(tool, arguments)
            assert not result.is_error and result.structured_content is not None, (tool, result)
            if tool == "may_fetch":
                allowed = [answer["allowed"] for answer in result.structured_content["answers"]]
                assert allowed == [True, False], result
        print(f"python {name} {mode}: {client.protocol_version}, {len(tools)} tools")


async def main():
    for mode in ["auto", "legacy", "2026-07-28"]:
        await call_all("http", os.environ["SERVER"], mode)
        await call_all("stdio", stdio(), mode)


asyncio.run(main())
