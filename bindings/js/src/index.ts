/**
 * Parses and matches robots.txt by RFC 9309, Google's library and two older drafts.
 *
 * ```js
 * import { allowed, parse } from "verger";
 *
 * allowed("User-agent: *\nDisallow: /private", "ExampleBot", "https://example.com/private/x"); // false
 * const policy = parse("User-agent: *\nDisallow: /private").policy("ExampleBot");
 * policy.verdict("https://example.com/private/x").line; // 2
 * ```
 *
 * @module
 */

import { engine } from "#engine";
import type { Bytes } from "./instance.js";
import { type Agent, named, type Reading, readingWord } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

export type {
    Candidate,
    Diagnostic,
    Explanation,
    FileRecord,
    FileRule,
    FileValue,
    ParsedFile,
    VerdictKeys,
} from "./answers.js";
export {
    ArgumentError,
    DisposedError,
    InternalError,
    ProductTokenError,
    TargetError,
    UnknownCrawlerError,
    VergerError,
} from "./errors.js";
export type { Bytes } from "./instance.js";
export { Policy, policy } from "./policy.js";
export type { Agent, Crawler, Dialect, Reading, ReadingOption } from "./question.js";
export { type Group, parse, RobotsTxt } from "./robots-txt.js";
export type { AppliedGroup, Effect, Reason, Rule, Verdict } from "./verdict.js";

/**
 * Returns whether a crawler may fetch `url`, in one pass over `body`. Use `policy` for several URLs.
 *
 * @throws {ProductTokenError} if `agent` is not a product token.
 * @throws {TargetError} if `url` is neither a URL nor a path.
 */
export function allowed(body: Bytes, agent: Agent, url: Bytes, reading: Reading = {}): boolean {
    const { names, word } = named(agent);
    return engine.ask("allowed", [], [names, url, body], [word | readingWord(reading)]) === 1;
}

/** Like `allowed`, and returns the deciding rule and group. */
export function verdict(body: Bytes, agent: Agent, url: Bytes, reading: Reading = {}): Verdict {
    const { names, word } = named(agent);
    engine.ask("verdict", [], [names, url, body], [word | readingWord(reading)]);
    return verdictOf(engine);
}
