// Takes screenshots of the page's states, to be looked at: `node screens.js FOLDER [STATE…]`. `VERGER_CHROMIUM` names the
// browser, and `VERGER_WIDTHS` the widths.

import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const PAGE = new URL("dist/index.html", import.meta.url).href;
const [folder, ...wanted] = process.argv.slice(2);
const widths = (process.env.VERGER_WIDTHS ?? "360,768,1280,2560").split(",").map(Number);
const HEIGHTS = { 360: 740, 390: 844, 768: 1024, 1280: 800, 2560: 1440 };
const MEDIA = {
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    print: { colorScheme: "light", media: "print" },
    forced: { colorScheme: "dark", forcedColors: "active" },
};
const media = (process.env.VERGER_MEDIA ?? "light,dark,print,forced").split(",");

const lines = (count, line) => Array.from({ length: count }, (_, at) => line(at)).join("\n");
const buffer = (content) => ({ name: "robots.txt", mimeType: "text/plain", buffer: Buffer.from(content) });
const open = (content) => (page) => page.locator("#file").setInputFiles(buffer(content));
const openAt = (tab, content) => async (page) => {
    await open(content)(page);
    await page.locator(`#tab-${tab}`).click();
};
const addUrls = async (page, urls) => {
    await page.locator("#url").fill(`${urls}\n`);
};

const WORDPRESS = `User-agent: *
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php
Disallow: /wp-login.php
Disallow: /?s=
Disallow: /search/

User-agent: GPTBot
Disallow: /

Sitemap: https://blog.example/wp-sitemap.xml
`;
const SHOPIFY = `# we use Shopify as our ecommerce platform

User-agent: *
${["/a/downloads/-/*", "/admin", "/cart", "/orders", "/checkouts/", "/checkout", "/carts", "/account", "/collections/*sort_by*", "/*/collections/*sort_by*", "/collections/*+*", "/collections/*%2B*", "/blogs/*+*", "/*?*oseid=*", "/*preview_theme_id*", "/policies/", "/search", "/apple-app-site-association"].map((path) => `Disallow: ${path}`).join("\n")}
Sitemap: https://boots.example/sitemap.xml

# Google adsbot ignores robots.txt unless specifically named!
User-agent: adsbot-google
Disallow: /checkouts/
Disallow: /checkout
Disallow: /carts
Disallow: /orders

User-agent: Nutch
Disallow: /

User-agent: AhrefsBot
Crawl-delay: 10
Disallow: /a/downloads/-/*
Disallow: /admin
Disallow: /cart

User-agent: Pinterest
Crawl-delay: 1
`;
const INVISIBLE = "User-agent: *\nDis\u200ballow: /a\nDisallow:\u00a0/b\nDisallow: /\u202eforp\nUser\u2011agent: GPTBot\nDisallow: /caf\u00ad\u00e9\nDisallow\uff1a /c\n";
const MISTAKES = "User-agent: *\nDissalow: /private/\nDisallow: /search\nAllow /\n\nUser-agent: Googelbot\nUser-agent: GPT Bot\ndisallow: private\nNoindex: /x\n\nSitemap: /sitemap.xml\n";

const STATES = {
    start: () => undefined,
    empty: open(""),
    wordpress: open(WORDPRESS),
    shopify: open(SHOPIFY),
    problems: openAt("problems", MISTAKES),
    crawlers: async (page) => {
        await openAt("crawlers", WORDPRESS)(page);
        await page.locator("#presets button").first().click();
        await page.locator("#preview h4").waitFor();
    },
    big: open(`User-agent: *\n${lines(13_500, (at) => `Disallow: /directory/${at}/page`)}\n`),
    ai160: open(`${lines(160, (at) => `User-agent: Ai${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}Bot`)}\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n`),
    html: open("<!doctype html>\n<html lang=\"en\">\n<head><title>Not found</title></head>\n<body>\n<h1>404: not found</h1>\n</body>\n</html>\n"),
    binary: open(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...Array.from({ length: 200 }, (_, at) => (at * 37) % 256)])),
    invisible: openAt("problems", INVISIBLE),
    versions: async (page) => {
        await open(WORDPRESS)(page);
        await page.locator("#compare").click();
        await page.locator("#second-file").setInputFiles(buffer(`${WORDPRESS.replace("Disallow: /search/\n", "Disallow: /tag/\nDissalow: /x\n")}`));
        await page.locator("#second-findings .problems").waitFor();
    },
    urls50000: async (page) => {
        await openAt("list", SHOPIFY)(page);
        const text = lines(50_000, (at) => `https://boots.example/${["search", "shoes", "cart", "blogs/a+b"][at % 4]}/${at}`);
        await page.locator("#list").setInputFiles({ name: "urls.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
        await page.locator("#counts table").waitFor();
    },
    wrong: (page) => addUrls(page, "https://exa mple.com/\nexample.com/private\nwww.example.com\nHTTPS://EXAMPLE.COM/PRIVATE/\n//example.com/a\nprivate/x\nhttp://[::1"),
    address: open("https://example.com/robots.txt\n"),
    dialects: async (page) => {
        await openAt("dialects", MISTAKES)(page);
        await page.locator("#dialects .card").first().waitFor();
    },
    page: async (page) => {
        await open(WORDPRESS)(page);
        await page.locator("#tab-page").click();
        const html = '<!doctype html>\n<html lang="en">\n<head>\n<title>A post</title>\n<meta name="robots" content="noindex, max-snippet:50">\n</head>\n<body>\n';
        await page.locator("#page-head").fill(`HTTP/2 200\nContent-Type: text/html\nX-Robots-Tag: bingbot: noarchive\n\n${html}`);
        await page.locator("#page-answer .card").waitFor();
    },
    sets: async (page) => {
        await open(WORDPRESS)(page);
        await page.locator("#crawler").fill("@ai");
        await page.locator("#crawler").press("Enter");
        await page.locator("#crawler").fill("open");
    },
    help: (page) => page.locator("#help").click(),
};

mkdirSync(folder, { recursive: true });
const args = ["--no-sandbox", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: process.env.VERGER_CHROMIUM ?? "/usr/bin/chromium", args });
for (const kind of media) {
    for (const width of kind === "print" ? [768] : widths) {
        for (const [name, enter] of Object.entries(STATES)) {
            if (wanted.length > 0 && !wanted.includes(name)) {
                continue;
            }
            const context = await browser.newContext({ viewport: { width, height: HEIGHTS[width] ?? 900 }, ...MEDIA[kind] });
            const page = await context.newPage();
            await page.goto(PAGE);
            await page.locator("body.ready").waitFor();
            await enter(page);
            // An idle page: everything that the state needs has been answered.
            await page.waitForTimeout(600);
            if (kind === "print") {
                await page.emulateMedia({ media: "print" });
            }
            await page.screenshot({ path: `${folder}/${name}-${width}-${kind}.png`, fullPage: kind === "print" });
            await context.close();
        }
    }
}
await browser.close();
