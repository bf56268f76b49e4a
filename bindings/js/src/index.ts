/**
 * Parses and matches robots.txt by RFC 9309, Google's library and two older drafts.
 *
 * ```js
 * import { allowed, parse } from "verger";
 *
 * allowed("User-agent: *\nDisallow: /private", "https://example.com/private/x", "ExampleBot"); // false
 * const policy = parse("User-agent: *\nDisallow: /private").policy("ExampleBot");
 * policy.verdict("https://example.com/private/x").line; // 2
 * ```
 *
 * @module
 */

import { engine } from "#engine";
import { type Bytes, type Target, textOf } from "./argument.js";
import { type Agent, askedOf, type Reading, type UrlQuestion } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

export type * from "./answers.js";
export type { Bytes, Target, UrlLike } from "./argument.js";
export * from "./errors.js";
export { Policy, type PolicyJson, policy } from "./policy.js";
export type { Agent, AgentQuestion, Crawler, Dialect, Reading, ReadingOption, UrlQuestion } from "./question.js";
export { parse, RobotsTxt } from "./robots-txt.js";
export type { AppliedGroup, Effect, Reason, Rule, Verdict } from "./verdict.js";

/**
 * Returns whether a crawler may fetch a URL, in one pass over `body`. Use `policy` for several URLs.
 *
 * @param body The robots.txt.
 * @param question The URL, the crawler and the reading.
 * @throws {ProductTokenError} if the crawler is not a product token.
 * @throws {TargetError} if the URL is neither absolute nor a path that starts with `/`.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function allowed(body: Bytes, question: UrlQuestion): boolean;
/**
 * Returns whether a crawler may fetch `url`, in one pass over `body`. Use `policy` for several URLs.
 *
 * @param body The robots.txt.
 * @param url The URL, absolute or as a path that starts with `/`.
 * @param agent The crawler.
 * @param options How the body is read.
 * @throws {ProductTokenError} if `agent` is not a product token.
 * @throws {TargetError} if `url` is neither absolute nor a path that starts with `/`.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function allowed(body: Bytes, url: Target, agent: Agent, options?: Reading): boolean;
export function allowed(body: Bytes, url: Target | UrlQuestion, agent?: Agent, options?: Reading): boolean {
    return ask("allowed", body, url, agent, options) === 1;
}

/**
 * Like `allowed`, and returns the deciding rule and group.
 *
 * @param body The robots.txt.
 * @param question The URL, the crawler and the reading.
 * @throws As `allowed`.
 */
export function verdict(body: Bytes, question: UrlQuestion): Verdict;
/**
 * Like `allowed`, and returns the deciding rule and group.
 *
 * @param body The robots.txt.
 * @param url The URL, absolute or as a path that starts with `/`.
 * @param agent The crawler.
 * @param options How the body is read.
 * @throws As `allowed`.
 */
export function verdict(body: Bytes, url: Target, agent: Agent, options?: Reading): Verdict;
export function verdict(body: Bytes, url: Target | UrlQuestion, agent?: Agent, options?: Reading): Verdict {
    ask("verdict", body, url, agent, options);
    return verdictOf(engine);
}

function ask(
    call: "allowed" | "verdict",
    body: Bytes,
    url: Target | UrlQuestion,
    agent: Agent | undefined,
    options: Reading | undefined,
): number {
    const text = textOf(body, "body");
    if (typeof url !== "string" || typeof agent !== "string" || options !== undefined) {
        const asked = askedOf(call, url, agent, options);
        return engine.askOnce(call, asked.names, asked.url, text, asked.word);
    }
    try {
        return engine.askOnce(call, agent, url, text, 0);
    } catch (error) {
        // Fails first if the URL and the crawler are swapped.
        askedOf(call, url, agent, options);
        throw error;
    }
}
