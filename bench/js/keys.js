// Measures the page's response to a key stroke in a file of 500 KiB: from the key to the frame with the
// verdicts.

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PAGE = new URL("../../bindings/js/page/dist/index.html", import.meta.url).href;
const STROKES = 40;

/** Milliseconds of each stroke, in the worst place of a file: the start, so that every rule is read again. */
export async function strokes(executablePath) {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const page = await browser.newPage();
    await page.goto(PAGE);
    const lines = Array.from({ length: 40_000 }, (_, at) => `Disallow: /directory/${at}\n`).join("");
    const buffer = Buffer.from(`User-agent: *\nDisallow: /k\n${lines}`.slice(0, 500 << 10));
    await page.locator("#file").setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer });
    await page.locator("#urls").fill("/directory/17999/x\n/kkkk");
    await page.getByText("line 18002").first().waitFor();
    await page.locator("#editor .cm-line").nth(1).click();
    await page.keyboard.press("End");
    await page.evaluate(() => {
        globalThis.times = [];
        let start;
        addEventListener("keydown", () => (start = performance.now()), { capture: true });
        const shown = () => requestAnimationFrame(() => times.push(performance.now() - start));
        new MutationObserver(shown).observe(document.getElementById("verdicts"), { childList: true });
    });
    for (let stroke = 1; stroke <= STROKES; stroke += 1) {
        await page.keyboard.press(stroke % 2 === 0 ? "Backspace" : "k");
        await page.waitForFunction((count) => globalThis.times.length >= count, stroke);
        // Questions about the whole file run after a pause, and finish before the next key.
        await page.waitForTimeout(50);
    }
    const times = await page.evaluate(() => globalThis.times);
    await browser.close();
    return times;
}
