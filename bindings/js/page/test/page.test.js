// The page in Chromium, from a folder and from a server: what is asked is answered, nothing is requested beside its
// files, and axe finds no violation. `VERGER_CHROMIUM` names the program, and `VERGER_SCREENSHOTS` a folder for pictures.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { chromium } from "playwright-core";

const DIST = new URL("../dist/", import.meta.url);
const FOLDER_PAGE = new URL("index.html", DIST).href;
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const FILE = "User-agent: *\nDisallow: /private/\nAllow: /private/index.html\n\nUser-agent: GPTBot\nDisallow: /\n";
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };
const BYTES_MAX = 700_000;

let browser;

before(async () => {
    const args = ["--no-sandbox", "--disable-background-networking"];
    browser = await chromium.launch({ executablePath: process.env.VERGER_CHROMIUM ?? "/usr/bin/chromium", args });
});
after(() => browser?.close());

/** Opens the page, and returns what it requested. The console has no errors but those that begin with `expected`. */
async function opened(use, { url = FOLDER_PAGE, expected = "\0", ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const [requests, problems] = [[], []];
    context.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(url);
    await page.locator("#verdicts table").waitFor();
    await use(page);
    await context.close();
    assert.deepEqual(problems.filter((problem) => !problem.startsWith(expected)), []);
    return requests;
}

/** Enters a file and the questions. */
async function enter(page, { file, urls, tokens }) {
    await page.locator("#file").setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer: Buffer.from(file) });
    await page.locator("#urls").fill(urls);
    await page.locator("#tokens").fill(tokens ?? "");
}

const cell = (page, table, row, column) => page.locator(`#${table} tbody tr`).nth(row).locator("th, td").nth(column);
const has = (locator, text) => locator.filter({ hasText: text }).waitFor();
const editorLine = (page, editor, text) => page.locator(`#${editor} .cm-line`).filter({ hasText: text });

test("a folder or a server is all that it needs: nothing else is requested", async () => {
    const files = readdirSync(DIST).sort();
    assert.deepEqual(files, ["index.html", "licences.txt", "modules.js", "page.css", "page.js"]);
    assert.match(readFileSync(new URL("licences.txt", DIST), "utf8"), /^@codemirror\/view [\d.]+\n\nMIT License/m);
    const flow = async (page) => {
        await enter(page, { file: FILE, urls: "https://example.org/private/x", tokens: "*" });
        await page.locator("#compare").check();
        await page.locator("#copy").click();
        await has(page.locator("#diff"), "Nothing changes for any crawler");
        await page.locator("#make-link").click();
        await page.locator("#link").waitFor();
    };
    const own = (base) => ["index.html", "modules.js", "page.css", "page.js"].map((name) => base + name);
    const ofFiles = (requests) => requests.filter((url) => !/^(blob|data):/.test(url)).sort();
    assert.deepEqual(ofFiles(await opened(flow)), own(DIST.href));
    const server = createServer(({ url }, response) => {
        const name = url.slice("/below/".length);
        const isFile = files.includes(name);
        response.writeHead(isFile ? 200 : 404, { "content-type": TYPES[name.split(".").at(-1)] ?? "text/plain" });
        response.end(isFile ? readFileSync(new URL(name, DIST)) : "");
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const base = `http://127.0.0.1:${server.address().port}/below/`;
    assert.deepEqual(ofFiles(await opened(flow, { url: `${base}index.html` })), own(base));
    server.close();
});

test("verdicts follow the keys, and the deciding line is marked", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "/private/x\n/private/index.html\nno url", tokens: "*" });
        await has(cell(page, "verdicts", 0, 1), "✗ disallowed line 2 /private/");
        await has(cell(page, "verdicts", 1, 1), "✓ allowed line 3 /private/index.html");
        await has(cell(page, "verdicts", 1, 3), "✗ disallowed line 6 /");
        // Google's library takes any text as a URL.
        assert.match(await cell(page, "verdicts", 2, 1).innerText(), /allowed no rule matches/);
        assert.match(await cell(page, "verdicts", 2, 2).innerText(), /no url/);
        await page.locator("#editor .cm-disallow").filter({ hasText: "Disallow: /private/" }).waitFor();
        await page.locator("#editor .cm-allow").filter({ hasText: "Allow: /private/index.html" }).waitFor();
        await cell(page, "verdicts", 0, 1).getByRole("button", { name: "line 2" }).click();
        await page.keyboard.press("End");
        await page.keyboard.type("y");
        await has(cell(page, "verdicts", 0, 1), "✓ allowed no rule matches");
        await has(page.locator("#status"), "of 12 combinations.");
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.id), "urls");
        await page.locator("#tokens").fill("Googlebot/2.1");
        await has(cell(page, "verdicts", 0, 4), "Googlebot");
    });
});

test("each known crawler is judged as its operator reads, unless a dialect is chosen", async () => {
    await opened(async (page) => {
        await enter(page, { file: "User-agent: *\nDisalow: /c\n", urls: "/c", tokens: "*" });
        await has(page.locator("#verdicts thead"), "googlebot (as Google reads it)");
        await has(cell(page, "verdicts", 0, 1), "✗ disallowed line 2 /c");
        await has(cell(page, "verdicts", 0, 2), "✓ allowed no rule matches");
        await has(cell(page, "verdicts", 0, 4), "✓ allowed no rule matches");
        await has(page.locator("#who tbody tr").nth(1), /googlebot \(as Google reads it\).*some.*line 2/);
        await page.locator("#dialect").selectOption("rfc9309");
        await has(cell(page, "verdicts", 0, 1), "✓ allowed no rule matches");
        await has(page.locator("#who tbody tr").nth(1), /googlebot.*nothing/);
    });
});

test("a finding is at its line, and its fix is applied", async () => {
    await opened(async (page) => {
        await enter(page, { file: "# é😀\nUser-agent: *\nDissalow: /a\n", urls: "/a", tokens: "*" });
        const finding = page.locator("#findings li").filter({ hasText: "misspelt-key" });
        await has(finding, "line 3");
        await page.locator("#editor .cm-lintRange").filter({ hasText: /^Dissalow$/ }).waitFor();
        // Google reads the misspelt key.
        await has(cell(page, "verdicts", 0, 1), "✗ disallowed line 3");
        await has(cell(page, "verdicts", 0, 2), "✓ allowed");
        await finding.getByRole("button", { name: "Fix: write `Disallow`" }).click();
        await editorLine(page, "editor", "Disallow: /a").waitFor();
        await has(cell(page, "verdicts", 0, 2), "✗ disallowed line 3");
        await finding.waitFor({ state: "detached" });
    });
});

test("crawlers are in a table, the important ones first", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "/", tokens: "*" });
        await has(page.locator("#who tbody tr").nth(0), "no group names it");
        await has(page.locator("#who tbody tr").nth(1), "googlebot");
        const row = page.locator("#who tbody tr").filter({ has: page.getByRole("rowheader", { name: "gptbot" }) });
        await has(row, /everything.*line 6.*GPTBot line 5.*OpenAI/);
        const training = page.locator("#who-drawing tbody tr").filter({ has: page.getByRole("rowheader", { name: "ai-train" }) });
        const cells = await training.locator("td").allInnerTexts();
        const widths = await training.locator("rect").evaluateAll((all) => all.map((one) => one.getAttribute("width")));
        assert.deepEqual(widths, cells.slice(1));
        assert.ok(Number(widths[0]) >= 1 && Number(widths[1]) > 5, `${widths}`);
        await page.getByRole("button", { name: /^Show all/ }).click();
        assert.ok((await page.locator("#who tbody tr").count()) > 100);
    });
});

test("a file that is dropped on the editor is opened", async () => {
    await opened(async (page) => {
        const dataTransfer = await page.evaluateHandle(() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["User-agent: *\r\nDisallow: /dropped\r\n"], "robots.txt"));
            return transfer;
        });
        await page.locator("#editor .cm-content").dispatchEvent("drop", { dataTransfer });
        await page.locator("#urls").fill("/dropped");
        await has(cell(page, "verdicts", 0, 1), "✗ disallowed line 2 /dropped");
        await page.locator("#editor .cm-line").nth(2).waitFor();
        assert.equal(await page.locator("#editor .cm-line").count(), 3);
    });
});

test("what is too much for a table is said, and what is not UTF-8", async () => {
    await opened(async (page) => {
        // Equal mistakes are one finding, so each group has another name.
        const letter = (nth) => String.fromCharCode(97 + nth);
        const names = Array.from({ length: 260 }, (_, nth) => `q${letter(nth % 26)}${letter(Math.floor(nth / 26))}q`);
        const groups = names.map((name) => `User-agent: ${name}\nDisallow: /a\n`.repeat(2));
        const file = Buffer.concat([Buffer.from(groups.join("")), Buffer.of(0x23, 0xff)]);
        await enter(page, { file, urls: "/a\n".repeat(101), tokens: "*" });
        await has(page.locator("#verdicts caption"), "first 100 of 101 URLs");
        assert.equal(await page.locator("#verdicts tbody tr").count(), 100);
        await has(page.locator("#findings"), /\d+ more findings are not shown/);
        assert.equal(await page.locator("#findings li").count(), 201);
        await has(page.locator("#status"), "robots.txt is not valid UTF-8");
    });
});

test("a second file: what changes for whom, with a URL; dialects are compared", async () => {
    await opened(async (page) => {
        await enter(page, { file: "User-agent: *\nAllow: /a\nDisallow: /a/b\n", urls: "/a/b", tokens: "*" });
        await page.locator("#compare").check();
        const buffer = Buffer.from("User-agent: *\nDisallow: /a/b\nDisallow: /c\n");
        await page.locator("#second-file").setInputFiles({ name: "new.txt", mimeType: "text/plain", buffer });
        const change = page.locator("#diff tbody tr").filter({ hasText: "googlebot" });
        await has(change, /✗ disallowed https:\/\/example.com\/c \(before: no rule, after: line 3\).*nothing/);
        await page.locator("#dialect-crawler").selectOption("*");
        await has(cell(page, "dialects", 0, 1), "✗ disallowed line 3");
        await has(cell(page, "dialects", 0, 4), /✓ allowed line 2.*differs/);
    });
});

test("a link holds the files and the questions; a damaged one is said", async () => {
    let link = "";
    await opened(async (page) => {
        await enter(page, { file: "User-agent: é\nDisallow: /é\n", urls: "/é", tokens: "ExampleBot" });
        await page.locator("#dialect").selectOption("google");
        await page.locator("#compare").check();
        await page.locator("#second").click();
        await page.keyboard.type("Allow: /");
        await page.locator("#make-link").click();
        await page.locator("#link").waitFor();
        link = await page.locator("#link").inputValue();
    });
    const held = async (page) => {
        await editorLine(page, "editor", "User-agent: é").waitFor();
        await editorLine(page, "second", "Allow: /").waitFor();
        assert.equal(await page.locator("#urls").inputValue(), "/é");
        assert.equal(await page.locator("#tokens").inputValue(), "ExampleBot");
        assert.equal(await page.locator("#dialect").inputValue(), "google");
    };
    await opened(held, { url: link });
    const isSaid = (page) => has(page.locator("#problem"), "the link is damaged");
    await opened(isSaid, { url: `${FOLDER_PAGE}#1=AAAA` });
});

test("of a sitemap or a list, URLs are counted for both files", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "/", tokens: "*" });
        const list = (name, text) => page.locator("#list").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
        const urls = Array.from({ length: 100_001 }, (_, at) => `https://example.com/${at % 4 === 0 ? "private" : "shop"}/${at}`);
        await list("visited.txt", urls.join("\n"));
        await has(page.locator("#counts caption"), "100,000 URLs in visited.txt (the rest is not counted)");
        await has(cell(page, "counts", 0, 1), "25,000");
        await has(page.locator("#counts tbody tr").filter({ hasText: "gptbot" }), "100,000");
        await page.locator("#compare").check();
        await page.locator("#copy").click();
        await page.locator("#second .cm-line").first().click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("\nUser-agent: *\nDisallow: /shop");
        const locs = urls.slice(0, 8).map((url) => `<url><loc> ${url} </loc></url>`);
        await list("sitemap.xml", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join("")}</urlset>`);
        await has(page.locator("#counts caption"), "8 URLs in sitemap.xml");
        await has(page.locator("#counts tbody tr").filter({ hasText: "googlebot" }), /2\s*8\s*6: https:\/\/example.com\/shop\/1 …\s*0/);
        await list("lines.txt", "/shop/1\nshop\n");
        await has(page.locator("#counts"), "Lines that are not URLs: 1.");
        await list("broken.xml", "<urlset><loc>");
        await has(page.locator("#counts"), "not well-formed");
        // Chromium styles the error that it puts into the document, which the page's policy does not let it do.
    }, { expected: "Applying inline style violates" });
});

test("a file of 500 KiB: the verdicts of each key are shown while the whole file is asked about", async () => {
    await opened(async (page) => {
        const file = `User-agent: *\n${Array.from({ length: 18_000 }, (_, at) => `Disallow: /directory/${at}\n`).join("")}`;
        await enter(page, { file, urls: "/directory/17999/x\n/keys", tokens: "*" });
        await has(cell(page, "verdicts", 0, 1), "line 18001");
        await page.locator("#editor .cm-line").first().click();
        await page.keyboard.press("End");
        await page.keyboard.type("\nDisallow: /keys");
        await has(cell(page, "verdicts", 1, 1), "✗ disallowed line 2 /keys");
        await has(cell(page, "verdicts", 0, 1), "line 18002");
    });
});

for (const [width, colorScheme] of [[360, "light"], [360, "dark"], [1280, "light"], [1280, "dark"], [3840, "light"]]) {
    test(`axe finds no violation at ${width} px, ${colorScheme}, and nothing is wider than the window`, async () => {
        await opened(async (page) => {
            await enter(page, { file: `${FILE}Dissalow: /a\n`, urls: "https://example.com/private/x\n/private/index.html", tokens: "*" });
            await page.locator("#compare").check();
            await page.locator("#second").click();
            await page.keyboard.type("User-agent: *");
            await page.locator("#diff table").waitFor();
            await page.locator("#dialects table").waitFor();
            await page.locator("#findings li").first().waitFor();
            const buffer = Buffer.from("/private/a\n/b\n");
            await page.locator("#list").setInputFiles({ name: "visited.txt", mimeType: "text/plain", buffer });
            await page.locator("#counts table").waitFor();
            await page.locator("#make-link").click();
            await page.locator("#link").waitFor();
            await page.evaluate(readFileSync(AXE, "utf8"));
            const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
            const found = violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
            assert.deepEqual(found, []);
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(overflow <= 0, `${overflow} px`);
            if (process.env.VERGER_SCREENSHOTS !== undefined) {
                const path = `${process.env.VERGER_SCREENSHOTS}/${width}-${colorScheme}.png`;
                await page.screenshot({ path, fullPage: true });
            }
        }, { viewport: { width, height: 900 }, colorScheme });
    });
}

test("all of it is small", () => {
    const sizes = readdirSync(DIST).map((name) => {
        const bytes = readFileSync(new URL(name, DIST));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        return [name, brotliCompressSync(bytes, { params }).length];
    });
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    console.log(`${fileURLToPath(DIST)}: ${sum} bytes with brotli: ${sizes.map((size) => size.join(" ")).join(", ")}`);
    assert.ok(sum <= BYTES_MAX);
});
