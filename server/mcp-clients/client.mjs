// Calls every tool with both npm clients, which compare each result with the schema of the tool.

import assert from "node:assert";
import * as modern from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { SITE, SERVER, VERGERD } = process.env;
const calls = {
  may_fetch: { urls: [`${SITE}/a`, `${SITE}/private`], agent: "claude-user" },
  explain: { url: `${SITE}/private` },
  site: { authority: SITE },
  history: { authority: SITE },
  lint: { robots: "User-agent: *\nDisalow: /a\n" },
  who: { authority: SITE, agents: "gptbot,claudebot" },
  diff: { authority: SITE, agents: "gptbot", since: "now" },
  crawlers: { purpose: "ai-train" },
};

async function callAll(name, client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(calls).sort());
  for (const [tool, given] of Object.entries(calls)) {
    const result = await client.callTool({ name: tool, arguments: given });
    assert.ok(!result.isError && result.structuredContent, `${tool}: ${JSON.stringify(result)}`);
    if (tool === "may_fetch") {
      const allowed = result.structuredContent.answers.map((answer) => answer.allowed);
      assert.deepEqual(allowed, [true, false]);
    }
  }
  const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  console.log(`${name}: ${version ?? "initialized"}, ${tools.length} tools`);
  await client.close();
}

const about = { name: "verger-test", version: "1" };
const stdio = { command: VERGERD, args: ["mcp"], env: { ...process.env } };
const url = new URL(SERVER);
await callAll("sdk http", new Client(about), new StreamableHTTPClientTransport(url));
await callAll("sdk stdio", new Client(about), new StdioClientTransport(stdio));
for (const mode of ["legacy", "auto"]) {
  const client = () => new modern.Client(about, { versionNegotiation: { mode } });
  await callAll(`client http ${mode}`, client(), new modern.StreamableHTTPClientTransport(url));
  await callAll(`client stdio ${mode}`, client(), new ModernStdio(stdio));
}
