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

import { ProductTokenError } from "./errors.js";
import type { Policy } from "./policy.js";
import { parse, type RobotsTxt } from "./robots-txt.js";

/** A robots.txt with the methods of robots-parser. */
export interface Robot {
    /** Returns `undefined` if the URL is on another site than the robots.txt. */
    isAllowed(url: string, ua?: string): boolean | undefined;
    /** Returns true also if `isAllowed` returns `undefined`. */
    isDisallowed(url: string, ua?: string): boolean;
    /** Like `isDisallowed`, but ignores groups for `*`. robots-parser 3.0.1 does not have this method. */
    isExplicitlyDisallowed(url: string, ua: string): boolean;
    /** Returns the line of the deciding rule, counted from 1, or -1 if no rule decides. */
    getMatchingLineNumber(url: string, ua?: string): number;
    /** Returns seconds. */
    getCrawlDelay(ua?: string): number | undefined;
    getSitemaps(): string[];
    getPreferredHost(): string | null;
}

/** The base of relative URLs. A relative URL matches a relative robots.txt. */
const NO_SITE = "http://relative.invalid/";

class Robots implements Robot {
    readonly #site: string | undefined;
    readonly #robots: RobotsTxt;
    /** The rules for the last crawler, kept from its second query on. */
    #last: { name: string; policy: Policy | undefined } | undefined;

    constructor(url: string, contents: string | null | undefined) {
        this.#site = urlOf(url)?.origin;
        this.#robots = parse(contents ?? "");
    }

    isAllowed(url: string, ua?: string): boolean | undefined {
        const target = this.#target(url);
        return target === undefined ? undefined : this.#ask(ua, (rules) => rules.allowed(target));
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
        return target === undefined ? -1 : (this.#ask(ua, (rules) => rules.verdict(target).line) ?? -1);
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
    #target(text: string): string | undefined {
        const url = urlOf(text);
        if (url === undefined || this.#site === undefined || url.origin !== this.#site) {
            return undefined;
        }
        url.hash = "";
        // Not `URL.search`, which drops a `?` that nothing follows.
        return url.href.slice(url.href.indexOf(url.host) + url.host.length);
    }

    /** Queries in one pass the first time a crawler is named, then by its kept rules. */
    #ask<T>(ua: string | undefined, ask: (rules: Pick<Policy, "allowed" | "verdict">) => T): T {
        const name = ua ?? "*";
        const robots = this.#robots;
        if (this.#last?.name === name) {
            this.#last.policy ??= withToken(name, (token) => robots.policy(token));
            return ask(this.#last.policy);
        }
        this.#last = { name, policy: undefined };
        return withToken(name, (token) =>
            ask({
                allowed: (target) => robots.allowed(target, token),
                verdict: (target) => robots.verdict(target, token),
            }),
        );
    }
}

/** Extracts the product token of a name such as `ExampleBot/1.0`, or uses `*` if it has none. */
function withToken<T>(ua: string | undefined, ask: (token: string) => T): T {
    const name = ua?.split("/", 1)[0]?.trim() || "*";
    try {
        return ask(name);
    } catch (error) {
        if (error instanceof ProductTokenError) {
            return ask(error.likely ?? "*");
        }
        throw error;
    }
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

/** Parses the robots.txt that was found at `url`. */
export function robotsParser(url: string, contents: string | null | undefined): Robot {
    return new Robots(url, contents);
}

export default robotsParser;
