/**
 * The interface of robots-parser 3, implemented by Verger. `docs/robots-parser.md` of the package lists the answers
 * that differ, with their clauses.
 *
 * ```js
 * import robotsParser from "verger/robots-parser";
 *
 * const robots = robotsParser("https://example.com/robots.txt", "User-agent: *\nDisallow: /a");
 * robots.isAllowed("https://example.com/a", "ExampleBot/1.0"); // false
 * ```
 *
 * @module
 */

import { engine } from "#engine";
import { type Bytes, type Text, textOf } from "./argument.js";
import { bytesOf } from "./bytes.js";
import { Policy } from "./policy.js";
import { withToken } from "./question.js";
import { parse, type RobotsTxt } from "./robots-txt.js";

/** A robots.txt with the methods of robots-parser. */
export interface Robot {
    /** Returns whether the crawler may fetch the URL, or `undefined` if it is on another site than the robots.txt. */
    isAllowed(url: string, ua?: string): boolean | undefined;
    /** Returns the reverse of `isAllowed`, and true for a URL of another site. */
    isDisallowed(url: string, ua?: string): boolean;
    /** Like `isDisallowed`, but ignores groups for `*`. robots-parser 3.0.1 does not have this method. */
    isExplicitlyDisallowed(url: string, ua: string): boolean;
    /** Returns the line of the deciding rule, counted from 1, or -1 if no rule decides. */
    getMatchingLineNumber(url: string, ua?: string): number;
    /** Returns the `Crawl-delay` in seconds, or `undefined`. */
    getCrawlDelay(ua?: string): number | undefined;
    /** Returns the values of the Sitemap lines. */
    getSitemaps(): string[];
    /** Returns the value of the last Host line in lower case, or null. */
    getPreferredHost(): string | null;
}

/** The base of relative URLs. A relative URL matches a relative robots.txt. */
const NO_SITE = "http://relative.invalid/";

/** A site whose origin is its own text: a lower-case name that is not an address, and no port. */
const PLAIN_SITE = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?=\/)/;
/** A path that a client sends as it is. */
const PLAIN_PATH = /^\/(?:[\w\-~!$&()*+,;=:@/?]|\.(?![./?]|$)|%(?!2[Ee]))*$/;

class Robots implements Robot {
    readonly #site: string | undefined;
    readonly #contents: Text;
    #parsed: RobotsTxt | undefined;
    /** The rules for the last crawler, kept from its second query on. */
    #last: { name: string; policy: Policy | undefined } | undefined;

    constructor(url: string, contents: Bytes | null | undefined) {
        this.#site = originOf(url);
        this.#contents = typeof contents === "string" ? contents : bytesOf(textOf(contents ?? "", "contents"));
    }

    get #robots(): RobotsTxt {
        this.#parsed ??= parse(this.#contents);
        return this.#parsed;
    }

    isAllowed(url: string, ua?: string): boolean | undefined {
        const target = this.#target(url);
        if (target === undefined) {
            return undefined;
        }
        const name = ua ?? "*";
        return this.#kept(name)?.allowed(target) ?? withToken(name, (token) => engine.askOnce("allowed", token, target, this.#contents, 0) === 1);
    }

    isDisallowed(url: string, ua?: string): boolean {
        return this.isAllowed(url, ua) !== true;
    }

    isExplicitlyDisallowed(url: string, ua: string): boolean {
        const target = this.#target(url);
        const allowed = (token: string): boolean =>
            target !== undefined && this.#robots.allowed(target, { tokens: [token], star: "ignored" });
        return !withToken(ua, allowed);
    }

    getMatchingLineNumber(url: string, ua?: string): number {
        const target = this.#target(url);
        if (target === undefined) {
            return -1;
        }
        const name = ua ?? "*";
        const kept = this.#kept(name)?.verdict(target);
        return (kept ?? withToken(name, (token) => this.#robots.verdict(target, token))).line ?? -1;
    }

    getCrawlDelay(ua?: string): number | undefined {
        const values = withToken(ua, (token) => this.#robots.values(token));
        const delay = values.find(({ kind }) => kind === "crawl-delay");
        return delay === undefined ? undefined : Number(delay.value);
    }

    getSitemaps(): string[] {
        return this.#values("sitemap");
    }

    getPreferredHost(): string | null {
        return this.#values("host").at(-1)?.toLowerCase() ?? null;
    }

    #values(kind: string): string[] {
        const records = this.#robots.records.filter((record) => record.kind === kind);
        return records.map(({ value }) => value).filter((value) => value !== "");
    }

    /** Returns the path and query that a client sends, or `undefined` for another site. */
    #target(given: unknown): string | undefined {
        const text = String(given);
        const site = this.#site;
        if (site !== undefined && text.startsWith(site)) {
            const path = text.slice(site.length);
            if (PLAIN_PATH.test(path)) {
                return path;
            }
        }
        const url = urlOf(text);
        if (url === undefined || site === undefined || url.origin !== site) {
            return undefined;
        }
        url.hash = "";
        // Not `URL.search`, which drops a `?` that nothing follows.
        return url.href.slice(url.href.indexOf(url.host) + url.host.length);
    }

    /** Returns the rules for a crawler from its second query on. The first one is answered in one pass. */
    #kept(name: string): Policy | undefined {
        if (this.#last?.name !== name) {
            this.#last = { name, policy: undefined };
            return undefined;
        }
        const asked = (token: string) => ({ agent: token, reading: {}, names: token, word: 0 });
        this.#last.policy ??= withToken(name, (token) => Policy.of(this.#contents, asked(token)));
        return this.#last.policy;
    }
}

function originOf(url: string): string | undefined {
    return PLAIN_SITE.exec(url)?.find((site) => !site.includes("xn--")) ?? urlOf(url)?.origin;
}

function urlOf(text: string): URL | undefined {
    try {
        const url = new URL(text, NO_SITE);
        url.username = "";
        url.password = "";
        return url;
    } catch {
        return undefined;
    }
}

/**
 * Parses the robots.txt that was found at a URL.
 *
 * @param url The URL of the robots.txt.
 * @param contents The text of the robots.txt, or its bytes, which robots-parser does not take. Nothing is an empty file.
 */
export function robotsParser(url: string, contents: Bytes | null | undefined): Robot {
    return new Robots(url, contents);
}

export default robotsParser;
