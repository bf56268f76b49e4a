// Measures the page in Chromium: its first verdict, and the response to a key stroke in a file of 400 KiB, until the key,
// the verdicts and the findings are painted.

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PAGE = new URL("../../bindings/js/page/dist/index.html", import.meta.url).href;
const STROKES = 40;
const OPENINGS = 7;

/** Milliseconds from the start of the navigation to the frame with the first verdict, one for each opening. */
async function firstVerdicts(browser) {
    const times = [];
    for (let opening = 0; opening < OPENINGS; opening += 1) {
        const page = await (await browser.newContext()).newPage();
        await page.addInitScript(() => {
            const seen = () => {
                if (document.querySelector("#verdicts .card .answers li") === null) {
                    requestAnimationFrame(seen);
                } else {
                    // A task after the frame runs once it is painted.
                    requestAnimationFrame(() => setTimeout(() => (globalThis.verdictAt = performance.now())));
                }
            };
            seen();
        });
        await page.goto(PAGE);
        await page.waitForFunction(() => globalThis.verdictAt !== undefined);
        times.push(await page.evaluate(() => globalThis.verdictAt));
        await page.context().close();
    }
    return times;
}

/** Milliseconds of each stroke, in the worst place of a file: the start, so that every rule is read again. */
async function strokes(browser) {
    const page = await browser.newPage();
    await page.goto(PAGE);
    await page.locator("body.ready").waitFor();
    const lines = Array.from({ length: 40_000 }, (_, at) => `Disallow: /directory/${at}\n`).join("");
    const buffer = Buffer.from(`User-agent: *\nDisallow: /k\n${lines}`.slice(0, 400 << 10));
    await page.locator("#file").setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer });
    await page.locator("#url").fill("/directory/14999/x\n/kkkk\n");
    await page.locator("#verdicts").filter({ hasText: "15002" }).waitFor();
    await page.locator("#editor .cm-line").nth(1).click();
    await page.keyboard.press("End");
    await page.evaluate(() => {
        globalThis.painted = [];
        globalThis.found = [];
        globalThis.answered = [];
        let start;
        addEventListener("keydown", () => {
            start = performance.now();
            // The key's own frame. The editor draws in the input event, before it.
            requestAnimationFrame(() => setTimeout(() => globalThis.painted.push(performance.now() - start)));
        }, { capture: true });
        const after = (times, target) => {
            const shown = () => requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - start)));
            new MutationObserver(shown).observe(document.getElementById(target), { childList: true, subtree: true, characterData: true });
        };
        after(globalThis.answered, "verdicts");
        after(globalThis.found, "problem-counts");
    });
    for (let stroke = 1; stroke <= STROKES; stroke += 1) {
        const before = await page.evaluate(() => globalThis.answered.length);
        await page.keyboard.press(stroke % 2 === 0 ? "Backspace" : "k");
        await page.waitForFunction((count) => globalThis.answered.length > count, before);
        // Questions about the whole file run after a pause, and finish before the next key.
        await page.waitForTimeout(600);
    }
    const times = await page.evaluate(() => ({ painted: globalThis.painted, answered: globalThis.answered, found: globalThis.found }));
    await page.close();
    return times;
}

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const line = (what, times) =>
    `${what}: median ${median(times)?.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms, of ${times.length}`;

/** The figures of the page, a line each. */
export async function figuresOfPage(executablePath) {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const first = await firstVerdicts(browser);
    const { painted, answered, found } = await strokes(browser);
    await browser.close();
    return [
        line("the page's first verdict", first),
        line("a key stroke in a file of 400 KiB, until it is painted", painted),
        line("until its verdicts are painted", answered),
        line("until its findings are painted", found),
    ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    console.log((await figuresOfPage(process.env.VERGER_CHROMIUM ?? "/usr/bin/chromium")).join("\n"));
}
