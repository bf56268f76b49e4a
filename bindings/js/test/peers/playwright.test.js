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

/** A server with a page, documents that are disallowed, and redirects: `/to/302/page` leads to `/page`. */
async function site(t) {
    const requested = [];
    const server = createServer((request, response) => {
        requested.push(`${request.method} ${request.url}`);
        const [, status, to] = /^\/to\/(\d+)(.*)$/.exec(request.url) ?? [];
        if (request.url === "/robots.txt") {
            response.end("User-agent: *\nDisallow: /private\n");
        } else if (status !== undefined) {
            response.writeHead(Number(status), { location: to }).end();
        } else {
            response.setHeader("content-type", "text/html");
            const form = `<form method="post" action="/to/303/done"><button>Send</button></form>`;
            response.end(`<link rel="icon" href="data:,"><title>${request.url}</title>${form}<iframe src="/private/frame"></iframe>`);
        }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.closeAllConnections() ?? server.close());
    return { requested, origin: `http://127.0.0.1:${server.address().port}` };
}

async function contextOf(t) {
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    t.after(() => browser.close());
    return browser.newContext();
}

/** How a document ends: its URL, title, status and the request that was redirected to it. */
async function ended(context, url) {
    const page = await context.newPage();
    const response = await page.goto(url);
    const before = response.request().redirectedFrom()?.url();
    const result = [page.url(), await page.title(), response.status(), before, (await page.content()).length > 0];
    await page.close();
    return result;
}

test("a document that is denied is not requested: a page, a frame, each target of a redirect", { skip }, async (t) => {
    const { requested, origin } = await site(t);
    const context = await contextOf(t);
    const denied = [];
    await context.route("**", gateRoute(new RobotsClient({ agent: "Foo" }), { denied: ({ code, url }) => denied.push([code, url]) }));
    assert.equal((await ended(context, `${origin}/page`))[2], 200);
    for (const path of ["/private", "/to/302/private", "/to/301/to/307/private/moved"]) {
        const page = await context.newPage();
        await assert.rejects(page.goto(origin + path), /ERR_BLOCKED_BY_CLIENT/, path);
    }
    assert.deepEqual([...new Set(denied.map(([code]) => code))], ["VERGER_DENIED"]);
    const urls = denied.map(([, url]) => url.slice(origin.length));
    assert.deepEqual(urls, ["/private/frame", "/private", "/private", "/private/moved"]);
    assert.deepEqual(requested.filter((it) => it.startsWith("GET /private")), []);
});

test("a redirect ends as without the gate", { skip }, async (t) => {
    const { origin } = await site(t);
    const [free, gated] = [await contextOf(t), await contextOf(t)];
    await gated.route("**", gateRoute(new RobotsClient({ agent: "Foo" })));
    for (const path of ["/page", "/to/301/page", "/to/302/to/307/page?a=1&b=2", `/to/308${origin.replace("127.0.0.1", "localhost")}/page`]) {
        const result = await ended(gated, origin + path);
        assert.deepEqual(result, await ended(free, origin + path), path);
        assert.equal(result[4], true);
    }
});

test("the first request of a popup is checked", { skip }, async (t) => {
    const { requested, origin } = await site(t);
    const context = await contextOf(t);
    const denied = [];
    await context.route("**", gateRoute(new RobotsClient({ agent: "Foo" }), { denied: ({ url }) => denied.push(url) }));
    const page = await context.newPage();
    await page.goto(`${origin}/page`);
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate("void open('/popup')")]);
    await popup.waitForURL("**/popup");
    await Promise.all([context.waitForEvent("requestfailed", (request) => request.url().endsWith("/private/popup")), page.evaluate("void open('/private/popup')")]);
    assert.ok(denied.includes(`${origin}/private/popup`));
    assert.deepEqual(requested.filter((it) => it.startsWith("GET /private")), []);
});

test("a form is sent once, and its redirect is followed", { skip }, async (t) => {
    const { requested, origin } = await site(t);
    const context = await contextOf(t);
    await context.route("**", gateRoute(new RobotsClient({ agent: "Foo" })));
    const page = await context.newPage();
    await page.goto(`${origin}/form`);
    await Promise.all([page.waitForURL("**/done"), page.click("button")]);
    assert.equal(await page.title(), "/done");
    assert.deepEqual(requested.filter((it) => it.startsWith("POST")), ["POST /to/303/done"]);
});
