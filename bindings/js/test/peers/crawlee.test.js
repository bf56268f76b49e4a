// The mixin in Crawlee's own crawler, against the hostile origin of the repository: no request that the profile
// forbids, and one fetch for all tasks.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { RobotsClient } from "verger/access";
import { withVerger } from "verger/crawlee";

const peers = createRequire(new URL("../../peers/package.json", import.meta.url));
const { BasicCrawler, Configuration } = peers("@crawlee/basic");
const { RobotsTxtFile } = peers("@crawlee/utils");
const { default: log } = peers("@apify/log");
log.setLevel(log.LEVELS.OFF);

/** What each site says for its robots.txt. */
const SITES = {
    rules: (response) => response.end("User-agent: *\nDisallow: /private\n"),
    encoded: (response) =>
        response.end("User-agent: *\nUser-agent: Foo\nSitemap: /s.xml\nDisallow: /%70rivate\n\nUser-agent: Foo\nDisallow: /foo\n"),
    missing: (response) => response.writeHead(404).end("User-agent: *\nDisallow: /\n"),
    failing: (response) => response.writeHead(503).end(),
    forbidden: (response) => response.writeHead(403).end(),
    reset: (response) => response.destroy(),
    cut: (response) => response.writeHead(200, { "content-length": "99" }).end("User-agent: *\nAllow: /\n", () => response.destroy()),
    challenge: (response) => response.end("<!doctype html><title>Just a moment</title>"),
    looping: (response) => response.writeHead(302, { location: "/robots.txt" }).end(),
};

let servers;
let requested;

before(async () => {
    servers = await Promise.all(
        Object.entries(SITES).map(async ([name, say]) => {
            const server = createServer((request, response) => {
                requested.push(`${name} ${request.url}`);
                if (request.url === "/robots.txt") {
                    say(response);
                } else {
                    response.end();
                }
            });
            server.listen(0, "127.0.0.1");
            await once(server, "listening");
            return { name, server, site: `http://127.0.0.1:${server.address().port}` };
        }),
    );
});

after(() => servers.forEach(({ server }) => server.closeAllConnections() ?? server.close()));

/** The requests of a crawl of these URLs, those for a robots.txt beside them. */
async function crawl(profile, urls) {
    requested = [];
    const client = new RobotsClient({ profile, agent: "Foo" });
    const Crawler = withVerger(BasicCrawler, RobotsTxtFile, client);
    const configuration = new Configuration({ persistStorage: false, purgeOnStart: true });
    const requestHandler = async ({ request }) => void (await (await fetch(request.url)).text());
    const options = { respectRobotsTxtFile: { userAgent: "Foo" }, requestHandler, maxConcurrency: 100 };
    const failures = [];
    const failedRequestHandler = ({ request }, error) => void failures.push(`${request.url}: ${error.message}`);
    const crawler = new Crawler({ ...options, maxRequestRetries: 0, failedRequestHandler }, configuration);
    await crawler.run(urls);
    assert.deepEqual(failures, []);
    return {
        robots: requested.filter((it) => it.endsWith("/robots.txt")).sort(),
        pages: requested.filter((it) => !it.endsWith("/robots.txt")).sort(),
    };
}

const EXPECTED = {
    rfc9309: ["challenge", "encoded", "forbidden", "looping", "missing", "rules"],
    cautious: ["encoded", "missing", "rules"],
};

for (const [profile, open] of Object.entries(EXPECTED)) {
    test(`under ${profile} no page is requested that it forbids`, async () => {
        const urls = servers.flatMap(({ site }) => [`${site}/page`, `${site}/private/page`]);
        const { pages } = await crawl(profile, urls);
        const hasPrivate = open.filter((name) => name !== "rules" && name !== "encoded");
        const expected = [...open.map((name) => `${name} /page`), ...hasPrivate.map((name) => `${name} /private/page`)];
        assert.deepEqual(pages, expected.sort());
    });
}

test("a hundred tasks share one fetch", async () => {
    const { site } = servers.find(({ name }) => name === "rules");
    const urls = Array.from({ length: 100 }, (_, at) => `${site}/${at}`);
    const { robots, pages } = await crawl("rfc9309", urls);
    assert.deepEqual([robots.length, pages.length], [1, 100]);
    // Crawlee itself asks about one URL after another.
    requested = [];
    const Crawler = withVerger(BasicCrawler, RobotsTxtFile, new RobotsClient({ agent: "Foo" }));
    const crawler = new Crawler({ respectRobotsTxtFile: true, requestHandler: async () => {} }, new Configuration({ persistStorage: false }));
    await Promise.all(urls.map((url) => crawler.getRobotsTxtFileForUrl(url)));
    assert.deepEqual(requested, ["rules /robots.txt"]);
});

test("a file has Crawlee's sitemaps, and says what the client says", async () => {
    requested = [];
    const client = new RobotsClient({ agent: "Foo" });
    const Crawler = withVerger(BasicCrawler, RobotsTxtFile, client);
    const crawler = new Crawler({ respectRobotsTxtFile: true, requestHandler: async () => {} }, new Configuration({ persistStorage: false }));
    const fileOf = async (name) => {
        const { site } = servers.find((it) => it.name === name);
        return [await crawler.getRobotsTxtFileForUrl(`${site}/a`), site];
    };
    const [file, site] = await fileOf("encoded");
    assert.ok(file instanceof RobotsTxtFile);
    assert.deepEqual([file.isAllowed(`${site}/private`), file.isAllowed(`${site}/a`)], [false, true]);
    assert.deepEqual([file.isAllowed(`${site}/foo`, "*"), file.isAllowed(`${site}/foo`, "Bar")], [false, true]);
    assert.equal(file.isAllowed(`${site}/private`, "Bar/1.0 (+https://bar.example)"), false);
    assert.equal(file.isAllowed("http://h.example/private"), true);
    assert.equal((await fileOf("encoded"))[0], file);
    const [closed, other] = await fileOf("failing");
    assert.equal(closed.isAllowed(`${other}/a`), false);
    const off = new Crawler({ requestHandler: async () => {} }, new Configuration({ persistStorage: false }));
    assert.equal(await off.getRobotsTxtFileForUrl(`${site}/a`), undefined);
    assert.equal((await crawler.getRobotsTxtFileForUrl("http://a b/")).isAllowed("http://a b/"), false);
});
