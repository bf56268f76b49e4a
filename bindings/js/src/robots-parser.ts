/**
 * The interface of robots-parser 3 over Verger. `bindings/js/docs/robots-parser.md` lists the answers that differ, with
 * their clauses.
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

/** A robots.txt, with the calls of robots-parser. */
export interface Robot {
    /** `undefined` where the URL is not on the site of the robots.txt. */
    isAllowed(url: string, ua?: string): boolean | undefined;
    /** Also where `isAllowed` is `undefined`. */
    isDisallowed(url: string, ua?: string): boolean;
    /** As `isDisallowed`, by the groups that name the crawler alone, not by those for `*`. robots-parser 3.0.1 does
     * not have it. */
    isExplicitlyDisallowed(url: string, ua: string): boolean;
    /** The line of the rule that decides, from 1 on; -1 where none does. */
    getMatchingLineNumber(url: string, ua?: string): number;
    /** Seconds. */
    getCrawlDelay(ua?: string): number | undefined;
    getSitemaps(): string[];
    getPreferredHost(): string | null;
}

/** Stands for the site of what has none: a relative URL is asked about with a relative robots.txt. */
const NO_SITE = "http://relative.invalid/";

class Robots implements Robot {
    readonly #site: string | undefined;
    readonly #robots: RobotsTxt;
    /** The rules for the crawler that was asked about last, from its second question on. */
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

    /** The path and query that a client sends for the URL; `undefined` where it is on another site. */
    #target(text: string): string | undefined {
        const url = urlOf(text);
        if (url === undefined || this.#site === undefined || url.origin !== this.#site) {
            return undefined;
        }
        url.hash = "";
        // `URL.search` has no `?` that nothing follows.
        return url.href.slice(url.href.indexOf(url.host) + url.host.length);
    }

    /** Asks for a crawler: in one pass for its first question, then by its rules. */
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

/** Asks with the product token of a name such as `ExampleBot/1.0`; with `*` where it has none. */
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

/** Reads the robots.txt that was found at `url`. */
export function robotsParser(url: string, contents: string | null | undefined): Robot {
    return new Robots(url, contents);
}

export default robotsParser;
