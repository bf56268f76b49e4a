// The page in Chromium, from a folder and from a server: its answers, its requests (none but for its own files), and axe in
// each of its states. `VERGER_CHROMIUM` names the program. `screens.js` takes pictures.

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
const BYTES_MAX = 525_000;

let browser;

before(async () => {
    const args = ["--no-sandbox", "--disable-background-networking"];
    browser = await chromium.launch({ executablePath: process.env.VERGER_CHROMIUM ?? "/usr/bin/chromium", args });
});
after(() => browser?.close());

/** Opens the page, and returns what it requested. The console has no errors but those that begin with `expected`. */
async function opened(use, { url = FOLDER_PAGE, expected = "\0", ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const [requests, problems] = [[], []];
    context.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.addInitScript(() => {
        globalThis.shifts = 0;
        new PerformanceObserver((list) => {
            list.getEntries().forEach((entry) => (globalThis.shifts += entry.hadRecentInput ? 0 : entry.value));
        }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url);
    await page.locator("body.ready").waitFor();
    await use(page);
    await context.close();
    assert.deepEqual(problems.filter((problem) => !problem.startsWith(expected)), []);
    return requests;
}

const openFile = (page, content, input = "file") =>
    page.locator(`#${input}`).setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer: Buffer.from(content) });

/** Enters a file, URLs, and crawlers after the three that are chosen at first. */
async function enter(page, { file, urls, crawlers = [] }) {
    await openFile(page, file);
    await page.locator("#url").fill(`${urls}\n`);
    for (const crawler of crawlers) {
        await addCrawler(page, crawler);
    }
}

async function addCrawler(page, name) {
    await page.locator("#crawler").fill(name);
    await page.locator("#crawler").press("Enter");
}

const has = (locator, text) => locator.filter({ hasText: text }).first().waitFor();
const tab = (page, name) => page.locator(`#tab-${name}`).click();
const editorLine = (page, editor, text) => page.locator(`#${editor} .cm-line`).filter({ hasText: text });
/** The row of the nth card that is for these crawlers. */
const answerOf = (page, nth, crawlers) =>
    page.locator("#verdicts .card").nth(nth).locator(".answers li").filter({ has: page.locator(".who", { hasText: crawlers }) });

async function violations(page) {
    await page.evaluate(readFileSync(AXE, "utf8"));
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}

test("a folder or a server is enough, and nothing else is requested", async () => {
    const files = readdirSync(DIST).sort();
    assert.deepEqual(files, ["index.html", "licences.txt", "modules.js", "page.css", "page.js"]);
    assert.match(readFileSync(new URL("licences.txt", DIST), "utf8"), /^@codemirror\/view [\d.]+\n\nMIT License/m);
    const flow = async (page) => {
        await enter(page, { file: FILE, urls: "https://example.org/private/x", crawlers: ["@ai-train"] });
        await page.locator("#compare").click();
        await has(page.locator("#diff"), "Nothing changes for any crawler");
        await page.locator("#share").click();
        await page.locator("#toast").filter({ hasText: /link/i }).waitFor();
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

for (const [width, height] of [[1280, 800], [390, 844], [360, 740]]) {
    test(`at ${width} × ${height}, the answer is on the first screen, and nothing moves`, async () => {
        await opened(async (page) => {
            await has(page.locator("#sentence"), "Googlebot and bingbot may fetch 1 of 3 URLs. GPTBot may fetch nothing.");
            await has(page.locator("#problem-counts"), "No mistakes found in the file");
            for (const answer of ["#sentence", "#problem-counts", "#verdicts .card >> nth=0", "#tabs"]) {
                const { x, y, width: wide, height: high } = await page.locator(answer).boundingBox();
                assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, `${answer} ${x} ${y} ${wide} ${high}`);
            }
            await has(page.locator("#file-facts"), "An example: 12 lines");
            await has(page.locator("#explained"), "every crawler that no other group names");
            const shifts = await page.evaluate(() => globalThis.shifts);
            assert.ok(shifts <= 0.02, `${shifts}`);
        }, { viewport: { width, height } });
    });
}

test("verdicts follow the keys, and the deciding line is marked", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "/private/x\n/private/index.html" });
        await has(answerOf(page, 0, "Googlebot, bingbot"), /blocked.*line 2.*\/private\//);
        await has(answerOf(page, 1, "Googlebot, bingbot"), /allowed.*line 3.*\/private\/index.html/);
        await has(answerOf(page, 1, "GPTBot"), /blocked.*line 6/);
        await has(page.locator("#sentence"), "Googlebot and bingbot may fetch 1 of 2 URLs. GPTBot may fetch nothing.");
        await page.locator("#editor .cm-disallow").filter({ hasText: "Disallow: /private/" }).waitFor();
        await page.locator("#editor .cm-allow").filter({ hasText: "Allow: /private/index.html" }).waitFor();
        await answerOf(page, 0, "Googlebot").getByRole("button", { name: "line 2" }).click();
        await has(page.locator("#explained"), "All other crawlers: blocks every URL whose path starts with /private/.");
        await page.keyboard.press("End");
        await page.keyboard.type("y*.pdf$");
        await has(answerOf(page, 0, "Googlebot, bingbot"), /allowed.*no rule matches/);
        await has(page.locator("#explained"), "starts with /private/y and ends with .pdf");
        await page.getByRole("button", { name: "Remove /private/x" }).click();
        await has(page.locator("#sentence"), "Googlebot and bingbot may fetch this URL.");
    });
});

test("crawlers are added by name, purpose, operator and header", async () => {
    await opened(async (page) => {
        await enter(page, { file: "User-agent: *\nDisallow: /a\n\nUser-agent: ExampleBot\nDisallow:\n", urls: "/a", crawlers: ["@openai"] });
        await has(page.locator("#chips"), "@openai (4)");
        await has(answerOf(page, 0, "OAI-SearchBot"), /blocked.*line 2/);
        await addCrawler(page, "ExampleBot");
        await has(answerOf(page, 0, "ExampleBot"), "allowed");
        const field = page.locator("#crawler");
        await field.fill("Mozilla/5.0 (compatible; ClaudeBot/1.0)");
        assert.equal(await field.getAttribute("aria-expanded"), "true");
        await has(page.locator("#crawler-options [aria-selected=true]"), "ClaudeBot");
        await field.press("ArrowDown");
        const active = await field.getAttribute("aria-activedescendant");
        assert.equal(await page.locator("#crawler-options [aria-selected=true]").getAttribute("id"), active);
        await field.press("Escape");
        await page.locator("#crawler-options").waitFor({ state: "hidden" });
        await field.fill("");
        await field.press("Backspace");
        await has(answerOf(page, 0, "Googlebot"), "blocked");
        await page.locator("#chips").filter({ hasNotText: "ExampleBot" }).waitFor();
        await page.getByRole("button", { name: "Remove @openai (4)" }).click();
        await page.locator("#chips").filter({ hasNotText: "@openai" }).waitFor();
    });
});

test("each known crawler is judged as its operator reads, unless a dialect is chosen", async () => {
    await opened(async (page) => {
        await enter(page, { file: "User-agent: *\nDisalow: /c\n", urls: "/c" });
        await has(answerOf(page, 0, "Googlebot"), /blocked.*line 2/);
        await has(answerOf(page, 0, "bingbot, GPTBot"), /allowed.*no rule matches/);
        await tab(page, "dialects");
        const dialects = page.locator("#dialects .answers li");
        await has(dialects, /blocked.*Google’s library.*line 2/);
        await has(dialects, /allowed.*RFC 9309, 2019 draft/);
        await page.locator("#dialect").selectOption("rfc9309");
        await tab(page, "verdicts");
        await has(answerOf(page, 0, "Googlebot, bingbot, GPTBot"), "allowed");
    });
});

test("a URL that the engine refuses leaves the other answers alone, and short forms are completed", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "https://exa mple.com/\nexample.com/private/x\nwww.example.com\n//example.com/private/y\nprivate/x" });
        await has(page.locator("#verdicts .card").nth(0), "bingbot and GPTBot: no answer. Invalid URL: invalid international domain name.");
        await has(page.locator("#verdicts .card").nth(1), "Taken as https://example.com/private/x");
        await has(answerOf(page, 1, "Googlebot, bingbot"), /blocked.*line 2/);
        await has(page.locator("#verdicts .card").nth(2), "Taken as https://www.example.com");
        await has(answerOf(page, 3, "Googlebot, bingbot"), /blocked.*line 2/);
        await has(page.locator("#verdicts .card").nth(4), "Taken as the path /private/x");
        await page.locator("#banner").waitFor({ state: "hidden" });
        await has(page.locator("#site-known"), "https://example.com");
        await page.locator("#url").fill("HTTPS://EXAMPLE.COM/PRIVATE/");
        await page.locator("#url").press("Enter");
        await has(page.locator("#verdicts .card").nth(5), "Capital letters count");
    });
});

test("another file brings its own site and paths, and entered URLs stay", async () => {
    await opened(async (page) => {
        const file = "User-agent: *\nDisallow: /wp-admin/\nDisallow: /*?s=\nDisallow: /tag/\n\nSitemap: https://shop.example/sitemap.xml\n";
        await openFile(page, file);
        const headings = page.locator("#verdicts .card h3");
        await has(headings.nth(1), "https://shop.example/wp-admin/");
        await has(headings.nth(2), "https://shop.example/?s=a");
        await has(page.locator("#problem-counts"), /^1 note$/);
        await page.locator("#proposals").getByRole("button", { name: "/tag/" }).click();
        await has(headings.nth(3), "https://shop.example/tag/");
        await openFile(page, FILE);
        await has(answerOf(page, 1, "Googlebot, bingbot"), /allowed.*no rule matches/);
        await has(headings.nth(1), "https://shop.example/wp-admin/");
    });
    await opened(async (page) => {
        await page.locator("#editor .cm-content").click();
        await page.keyboard.press("Control+A");
        await page.evaluate(() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "User-agent: *\nDisallow: /pasted/\n");
            const host = document.getElementById("editor").shadowRoot;
            host.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        });
        await has(page.locator("#verdicts .card h3").nth(1), /^\/pasted\/$/);
        await page.getByRole("textbox", { name: "Which site is it?" }).waitFor();
    });
});

test("what is not a robots.txt has a banner", async () => {
    await opened(async (page) => {
        const banner = page.locator("#banner");
        await openFile(page, "https://example.com/robots.txt\n");
        await has(banner, "This is an address, not a robots.txt.");
        assert.equal(await banner.getByRole("link").getAttribute("href"), "https://example.com/robots.txt");
        await openFile(page, "<!doctype html>\n<title>Not found</title>\n");
        await has(banner, "This is an HTML page, not a robots.txt.");
        assert.deepEqual(await violations(page), []);
        await openFile(page, Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0xff, 0xfe));
        await has(banner, "This is binary data, not a robots.txt.");
        await openFile(page, "");
        await has(banner, "The file is empty.");
        await openFile(page, FILE);
        await banner.waitFor({ state: "hidden" });
    });
});

test("problems are sorted, at their lines, and fixed one by one or all at once", async () => {
    await opened(async (page) => {
        await enter(page, { file: "# é😀\nUser-agent: *\nDissalow: /a\nDisallow: b\nAllow /c\n\nUser-agent: AlphaBot\nDisallow: /d\n", urls: "/a" });
        await has(page.locator("#problem-counts"), /1 error\s*2 warnings\s*1 note/);
        await page.locator("#problem-counts").click();
        const problems = page.locator("#findings li");
        await has(problems.nth(0), "missing-leading-slash");
        const finding = problems.filter({ hasText: "misspelt-key" });
        await has(finding, "Google reads Dissalow as Disallow, other crawlers ignore the line. Write Disallow.");
        await page.locator("#editor .cm-lintRange").filter({ hasText: /^Dissalow$/ }).waitFor();
        await has(page.locator("#editor .cm-ignored"), /Dissalow.*The key is unknown, so the line is ignored/);
        await finding.getByRole("button", { name: "Fix: write `Disallow` (line 3)" }).click();
        await editorLine(page, "editor", "Disallow: /a").waitFor();
        await finding.waitFor({ state: "detached" });
        await openFile(page, "User-agent: GPTBot\nUser-agent: GPTBot\nDisallow: /d\n\nUser-agent: bingbot\nUser-agent: bingbot\nDisallow: /d\n");
        await page.getByRole("button", { name: "Fix all safe (2)" }).click();
        await has(page.locator("#file-facts"), "6 lines");
    });
});

test("characters that nobody sees are shown", async () => {
    await opened(async (page) => {
        await openFile(page, "User-agent: *\nDis\u200ballow: /a\nDisallow:\u00a0/b\nDisallow: /\u202eforp\nUser\u2011agent: GPTBot\n");
        for (const name of ["U+200B", "U+00A0", "U+202E", "U+2011"]) {
            await has(page.locator("#editor .cm-special"), name);
        }
        await has(page.locator("#editor .cm-ignored"), /agent: GPTBot.*No crawler knows the key/);
        await has(page.locator("#problem-counts"), /error/);
    });
});

test("equal problems are folded, invalid UTF-8 is reported, and many URLs are offered to be counted", async () => {
    await opened(async (page) => {
        // Equal mistakes are one finding, so each group has another name.
        const letter = (nth) => String.fromCharCode(97 + nth);
        const names = Array.from({ length: 260 }, (_, nth) => `q${letter(nth % 26)}${letter(Math.floor(nth / 26))}q`);
        const groups = names.map((name) => `User-agent: ${name}\nDisallow: /a\n`.repeat(2));
        const file = Buffer.concat([Buffer.from(groups.join("")), Buffer.of(0x23, 0xff)]);
        await enter(page, { file, urls: Array.from({ length: 101 }, (_, at) => `https://example.com/a/${at}`).join("\n") });
        await has(page.locator("#toast"), "robots.txt is not valid UTF-8");
        await has(page.locator("#verdicts"), "The first 100 of 101 URLs.");
        assert.equal(await page.locator("#verdicts .card").count(), 100);
        await page.getByRole("button", { name: "Count them all" }).click();
        await has(page.locator("#counts caption"), "101 URLs in the URLs above");
        await tab(page, "problems");
        await has(page.locator("#findings summary"), /\d+ more like this/);
        await has(page.locator("#findings"), /\d+ more problems not shown/);
    });
});

test("crawlers by purpose filter the table, and a preset shows its lines before they are taken", async () => {
    await opened(async (page) => {
        await openFile(page, FILE);
        await tab(page, "crawlers");
        const purpose = (title) => page.locator(".purpose").filter({ has: page.getByRole("heading", { name: title }) });
        await has(purpose("AI training"), /Most are partly. Exceptions:.*closed: GPTBot/);
        await has(page.locator("#who tbody tr").nth(0), "any other crawler");
        await has(page.locator("#who tbody tr").nth(1), "Googlebot as Google reads it");
        await purpose("AI training").getByRole("button", { name: "AI training: 1 closed" }).click();
        await has(page.locator("#who caption"), "1 crawler (AI training, closed)");
        await has(page.locator("#who tbody tr"), /GPTBot OpenAI.*closed.*line 6.*GPTBot line 5/);
        await page.locator("#unfilter").click();
        await page.locator("#filter").fill("openai");
        await has(page.locator("#who caption"), "4 crawlers");
        await page.locator("#unfilter").click();
        await page.getByRole("button", { name: /^Show all \d+/ }).click();
        assert.ok((await page.locator("#who tbody tr").count()) > 100);
        await page.getByRole("button", { name: "Block AI training, keep AI search" }).click();
        await has(page.locator("#preview .added"), "User-agent: ClaudeBot");
        assert.equal(await page.locator("#preview .added").filter({ hasText: "GPTBot" }).count(), 0);
        await has(page.locator("#preview"), "The file already says so for GPTBot.");
        await page.getByRole("button", { name: "Take these lines" }).click();
        await has(purpose("AI training").getByRole("button", { name: /AI training: \d\d closed/ }), /\d\d/);
        await has(purpose("AI search"), /All partly|Most are partly/);
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
        await has(page.locator("#verdicts .card").nth(1), "/dropped");
        await has(answerOf(page, 1, "Googlebot, bingbot, GPTBot"), /blocked.*line 2/);
        assert.equal(await page.locator("#editor .cm-line").count(), 3);
    });
});

test("two versions: what changes for whom, with changed lines and the problems of the new one", async () => {
    await opened(async (page) => {
        await openFile(page, "User-agent: *\nAllow: /a\nDisallow: /a/b\n");
        await page.locator("#compare").click();
        await has(page.locator("#diff"), "Nothing changes for any crawler");
        await openFile(page, "User-agent: *\nDisallow: /a/b\nDisallow: /c\nDissalow: /d\n", "second-file");
        await has(page.locator("#diff .headline"), /^\d+ crawlers change, \d+ do not\.$/);
        await has(page.locator("#diff tbody tr"), /Googlebot.*\/c \(before: no rule, after: line 3\).*nothing/);
        await has(page.locator("#second-findings"), "misspelt-key");
        await has(page.locator("#editor .cm-changed"), "Allow: /a");
        await has(page.locator("#second .cm-changed"), "Disallow: /c");
        assert.deepEqual(await violations(page), []);
        await page.locator("#close-second").click();
        await has(page.locator("#panel-compare"), "Compare with a new version");
        assert.equal(await page.locator("#editor .cm-changed").count(), 0);
    });
});

test("work survives a reload, and a link contains it; a damaged or a long one is reported", async () => {
    let link = "";
    const file = "User-agent: é\nDisallow: /é\n";
    const restored = async (page) => {
        await editorLine(page, "editor", "User-agent: é").waitFor();
        await editorLine(page, "second", "Allow: /").waitFor();
        await tab(page, "verdicts");
        await has(page.locator("#verdicts .card h3"), "/é");
        await has(page.locator("#chips"), "ExampleBot");
        assert.equal(await page.locator("#dialect").inputValue(), "google");
    };
    await opened(async (page) => {
        await enter(page, { file, urls: "/é", crawlers: ["ExampleBot"] });
        await tab(page, "dialects");
        await page.locator("#dialect").selectOption("google");
        await page.locator("#compare").click();
        await openFile(page, "Allow: /", "second-file");
        await page.locator("#share").click();
        await has(page.locator("#toast"), "Link copied.");
        link = await page.evaluate(() => navigator.clipboard.readText());
        await page.reload();
        await restored(page);
        await openFile(page, `${Array.from({ length: 9_000 }, (_, at) => `Disallow: /${(at * 7_919).toString(36)}`).join("\n")}`);
        await page.locator("#share").click();
        await has(page.locator("#toast"), /Too long to share: the link would have [\d,]+ characters/);
    }, { permissions: ["clipboard-read", "clipboard-write"] });
    await opened(async (page) => {
        await restored(page);
        assert.ok(!page.url().includes("#"));
    }, { url: link });
    await opened((page) => has(page.locator("#banner"), "The link is damaged."), { url: `${FOLDER_PAGE}#1=AAAA` });
    await opened(async (page) => {
        await has(page.locator("#verdicts .card h3"), "https://example.org/x?y");
        assert.equal(await page.locator("#banner").getByRole("link").getAttribute("href"), "https://example.org/robots.txt");
        await page.locator("#help").click();
        assert.match(await page.locator("#bookmarklet").getAttribute("href"), /^javascript:.*index\.html\?url=/);
    }, { url: `${FOLDER_PAGE}?url=${encodeURIComponent("https://example.org/x?y")}` });
});

test("URLs of a sitemap or a list are counted for both files, and again when the file changes", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "/" });
        const list = (name, text) => page.locator("#list").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
        const row = (crawlers) => page.locator("#counts tbody tr").filter({ has: page.getByRole("rowheader", { name: crawlers }) });
        const urls = Array.from({ length: 100_001 }, (_, at) => `https://example.com/${at % 4 === 0 ? "private" : "shop"}/${at}`);
        await list("visited.txt", urls.join("\n"));
        await has(page.locator("#counts caption"), "100,000 URLs in visited.txt (the rest is not counted)");
        await has(row("Googlebot"), "25,000");
        await has(row("GPTBot"), "100,000");
        await openFile(page, "User-agent: *\nDisallow: /shop\n");
        await has(row("Googlebot"), "75,000");
        await openFile(page, FILE);
        await page.locator("#compare").click();
        await openFile(page, `${FILE}User-agent: *\nDisallow: /shop\n`, "second-file");
        const locs = urls.slice(0, 8).map((url) => `<url><loc> ${url} </loc></url>`);
        await list("sitemap.xml", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join("")}</urlset>`);
        await has(page.locator("#counts caption"), "8 URLs in sitemap.xml");
        await has(row("Googlebot"), /2\s*8\s*6: https:\/\/example.com\/shop\/1 …\s*0/);
        await list("lines.txt", "/shop/1\nshop\n");
        await has(page.locator("#counts"), "1 line is not a URL.");
        await list("broken.xml", "<urlset><loc>");
        await has(page.locator("#counts"), "not well-formed");
        // Chromium styles the error that it puts into the document, which the page's policy does not let it do.
    }, { expected: "Applying inline style violates" });
});

test("a file of 500 KiB: the verdicts of each key are shown while the whole file is asked about", async () => {
    await opened(async (page) => {
        const file = `User-agent: *\n${Array.from({ length: 18_000 }, (_, at) => `Disallow: /directory/${at}\n`).join("")}`;
        await enter(page, { file, urls: "/directory/17999/x\n/keys" });
        await has(answerOf(page, 0, "Googlebot"), "line 18001");
        await page.locator("#editor .cm-line").first().click();
        await page.keyboard.press("End");
        await page.keyboard.type("\nDisallow: /keys");
        await has(answerOf(page, 1, "Googlebot"), /blocked.*line 2.*\/keys/);
        await has(answerOf(page, 0, "Googlebot"), "line 18002");
    });
});

test("a pasted page is read as in a browser with scripts, and joined with robots.txt", async () => {
    await opened(async (page) => {
        await enter(page, { file: FILE, urls: "https://example.com/a\nhttps://example.com/private/x" });
        await tab(page, "page");
        const answers = page.locator("#page-answer .answers li");
        const row = (crawlers) => answers.filter({ has: page.locator(".who", { hasText: crawlers }) });
        await has(row("Googlebot, bingbot"), /unknown.*not fetched/);
        await has(row("GPTBot"), /unseen.*line 6.*may still be listed/);
        const html = [
            "<!doctype html><title><meta name=robots content=none></title>",
            "<!-- <meta name=robots content=none> --><!--><link rel=canonical href='/?<script>'>",
            "<script>document.title = '<meta name=robots content=none>'; alert(1)</script>",
            "<style>@import url(https://example.com/style.css)</style>",
            "<noscript><img src=https://example.com/pixel><meta name=robots content=none></noscript>",
            "<template><meta name=robots content=none></template>",
            "<meta charset=utf-8><META NAME='googlebot' title='>' CONTENT='noindex'>",
            "<body onload='alert(1)' style='color: red'><img src=x onerror='alert(1)'>",
            "<meta name=bingbot content=noindex>",
        ].join("\n");
        page.on("dialog", (dialog) => assert.fail(dialog.message()));
        await page.locator("#page-html").fill(html);
        await has(row("Googlebot"), /not indexed.*Noindex \(meta for googlebot, line 7\)/);
        await has(row("bingbot"), /indexable.*No directive forbids it/);
        await has(page.locator("#page-answer .hint"), "Without a response head");
        await page.locator("#page-html").fill("");
        await page.locator("#page-head").fill(`HTTP/2 200\nx-robots-tag: bingbot: none\n\n${html}`);
        await has(row("bingbot"), /not indexed.*none \(x-robots-tag for bingbot, line 2\)/i);
        await has(row("Googlebot"), /not indexed.*line 7/);
        assert.equal(await page.locator("#page-html").inputValue(), html);
        await page.locator("#page-url").selectOption("https://example.com/private/x");
        await has(row("Googlebot, bingbot"), /unseen.*line 2: Disallow: \/private\//);
        await page.locator("#page-head").fill("x");
        await has(page.locator("#page-answer"), /Not a response head/);
        await page.reload();
        await page.locator("body.ready").waitFor();
        assert.equal(await page.locator("#page-html").inputValue(), html);
        await page.locator("#share").click();
        await has(page.locator("#toast"), "but not the pasted page");
    }, { permissions: ["clipboard-read", "clipboard-write"] });
});

test("the print has the whole file and whole tables, without buttons", async () => {
    await opened(async (page) => {
        await openFile(page, `User-agent: *\n${Array.from({ length: 300 }, (_, at) => `Disallow: /${at}\n`).join("")}`);
        await has(answerOf(page, 1, "Googlebot"), "blocked");
        await page.locator("#ai .purpose").first().waitFor({ state: "attached" });
        await page.emulateMedia({ media: "print" });
        await has(page.locator("#print-file li"), "Disallow: /299");
        assert.equal(await page.locator("#who tbody tr").nth(200).isVisible(), true);
        assert.equal(await page.locator("#open").isVisible(), false);
        assert.equal(await page.locator("#file-pane").isVisible(), false);
    });
});

const STATES = [[360, "light"], [360, "dark"], [768, "light"], [1280, "light"], [1280, "dark"], [2560, "light"], [2560, "dark"]];
for (const [width, colorScheme] of STATES) {
    test(`axe finds no violation at ${width} px, ${colorScheme}, in any tab, and nothing is wider than the window`, async () => {
        await opened(async (page) => {
            const urls = "https://example.com/private/x\nhttps://exa mple.com/\nexample.com";
            const long = Array.from({ length: 200 }, (_, at) => `Disallow: /a-long-path/${at}\n`).join("");
            await enter(page, { file: `${FILE}Dissalow: /a\nDis\u200ballow: /b\n${long}`, urls, crawlers: ["@ai-train"] });
            await has(page.locator("#verdicts .refused"), "no answer");
            await page.locator("#findings li").first().waitFor({ state: "attached" });
            await page.locator("#list").setInputFiles({ name: "visited.txt", mimeType: "text/plain", buffer: Buffer.from("/private/a\n/b\n") });
            await page.locator("#counts table").waitFor();
            await page.locator("#compare").click();
            await page.locator("#second-findings .problems").waitFor();
            for (const name of ["verdicts", "problems", "crawlers", "compare", "page", "list", "dialects"]) {
                if (await page.locator(`#tab-${name}`).isHidden()) {
                    continue;
                }
                await tab(page, name);
                if (name === "crawlers") {
                    await page.locator("#presets button").first().click();
                    await page.locator("#preview h4").waitFor();
                }
                if (name === "page") {
                    await page.locator("#page-head").fill("HTTP/1.1 200 OK\nX-Robots-Tag: noindex");
                    await page.locator("#page-answer .not-indexed").waitFor();
                }
                assert.deepEqual(await violations(page), [], name);
                const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
                assert.ok(overflow <= 0, `${name}: ${overflow} px`);
            }
            await page.locator("#crawler").fill("open");
            await page.locator("#crawler-options li").first().waitFor();
            assert.deepEqual(await violations(page), [], "options");
            await page.locator("#crawler").press("Escape");
            await page.locator("#help").click();
            assert.deepEqual(await violations(page), [], "help");
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
