// The gate before the documents of a Chromium, by Playwright.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { RobotsClient } from "verger/access";
import { gateRoute } from "verger/gate";

const { chromium } = createRequire(new URL("../../peers/package.json", import.meta.url))("playwright-core");
const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
// In CI its absence is a failure.
const skip = program === undefined && !process.env.CI && "there is no Chromium";

test("a document that is denied is not requested: a page, a frame, what a redirect leads to", { skip }, async (t) => {
    const requested = [];
    const server = createServer((request, response) => {
        requested.push(request.url);
        if (request.url === "/robots.txt") {
            response.end("User-agent: *\nDisallow: /private\n");
        } else if (request.url.startsWith("/to/")) {
            response.writeHead(302, { location: request.url.slice(3) }).end();
        } else {
            response.setHeader("content-type", "text/html");
            response.end(`<link rel="icon" href="data:,"><title>${request.url}</title><iframe src="/private/frame"></iframe>`);
        }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.closeAllConnections() ?? server.close());
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    t.after(() => browser.close());
    const context = await browser.newContext();
    const site = `http://127.0.0.1:${server.address().port}`;
    let tell;
    const denied = new Promise((resolve) => {
        tell = ({ url }) => url.endsWith("/private/moved") && resolve(url);
    });
    await context.route("**", gateRoute(new RobotsClient({ agent: "Foo" }), { denied: (error) => tell(error) }));
    // Each in a page of its own, since a page that was blocked goes on to one that says so.
    const open = async (path) => {
        const page = await context.newPage();
        return { page, response: await page.goto(site + path, { waitUntil: "commit" }) };
    };
    assert.equal((await open("/page")).response.status(), 200);
    await assert.rejects(open("/private"), /ERR_BLOCKED_BY_CLIENT/);
    const { page } = await open("/to/page?a=1&b=2");
    await page.waitForURL((url) => url.pathname === "/page");
    assert.equal(await page.title(), "/page?a=1&b=2");
    await open("/to/private/moved");
    assert.equal(await denied, `${site}/private/moved`);
    assert.deepEqual(requested, ["/robots.txt", "/page", "/to/page?a=1&b=2", "/page?a=1&b=2", "/to/private/moved"]);
});
