// The reading and the crawler of a question, encoded for the modules.

import { type Check, type Checks, FLAG, isObject, isUrl, oneOf, optionsOf, required, someOf, STRINGS, type Target, targetOf, type Text } from "./argument.js";
import { ArgumentError, ProductTokenError } from "./errors.js";
import { joined } from "./instance.js";

const DIALECTS = ["rfc9309", "google", "draft2019", "koster1996"] as const;
const OPTIONS = ["lenient-other-records", "lenient-lines", "ignore-allow", "bridge-encodings", "comma-agents"] as const;

/** The document by which a body is read. */
export type Dialect = (typeof DIALECTS)[number];

/** A deviation from the dialect. */
export type ReadingOption = (typeof OPTIONS)[number];

/** How a body is read. */
export interface Reading {
    /**
     * The document by which the body is read.
     *
     * @default "rfc9309"
     */
    dialect?: Dialect;
    /**
     * Deviations from the dialect.
     *
     * @default []
     */
    options?: readonly ReadingOption[];
}

/** A crawler with several product tokens, like those of the registry in `verger/owner`. */
export interface Crawler {
    /** The product tokens in lookup order. */
    tokens: readonly string[];
    /**
     * Whether groups for `*` apply if no group names the crawler.
     *
     * @default "honoured"
     */
    star?: "honoured" | "ignored";
    /**
     * Whether the groups of all its tokens apply as one. Only `google` supports it.
     *
     * @default false
     */
    union?: boolean;
}

/** A product token (`*` for a crawler that no group names), several in lookup order, or a `Crawler`. */
export type Agent = string | readonly string[] | Crawler;

/** A crawler and a reading, in place of the arguments `agent` and `options`. */
export interface AgentQuestion extends Reading {
    /** The crawler. */
    agent: Agent;
}

/** A URL, a crawler and a reading, in place of the arguments `url`, `agent` and `options`. */
export interface UrlQuestion extends AgentQuestion {
    /** The URL, absolute or as a path that starts with `/`. */
    url: Target;
}

const OPTIONS_FROM = 2;
const STAR_IGNORED = 1 << 8;
const UNION = 1 << 9;
export const AS_OPERATOR = 1 << 10;

export const READING: Checks<Reading> = { dialect: oneOf(DIALECTS), options: someOf(OPTIONS) };

/** The checks of questions about a parsed file, whose reading is known. */
export const NO_READING = {} as Checks<Reading>;

const STAR = oneOf(["honoured", "ignored"]);
const TOKENS: Check = [STRINGS[0], "an array of product tokens"];
const CRAWLER: Check = [(value) => isObject(value) && "tokens" in value, "a product token, an array of them, or a crawler with `tokens`"];

/** Encodes a reading that was checked. */
export function wordOf({ dialect = "rfc9309", options = [] }: Reading): number {
    return options.reduce((sum, option) => sum | (1 << (OPTIONS.indexOf(option) + OPTIONS_FROM)), DIALECTS.indexOf(dialect));
}

/** The names of a crawler as one text, and its flags. */
export interface Named {
    names: Text;
    word: number;
}

/** Checks and encodes a crawler. */
export function named(agent: Agent): Named {
    if (typeof agent === "string") {
        return { names: agent, word: 0 };
    }
    if (Array.isArray(agent)) {
        return { names: namesOf(agent, "agent"), word: 0 };
    }
    required("agent", agent, CRAWLER);
    const { tokens, star = "honoured", union = false } = agent as Crawler;
    required("agent.star", star, STAR);
    required("agent.union", union, FLAG);
    const word = (star === "ignored" ? STAR_IGNORED : 0) | (union ? UNION : 0);
    return { names: namesOf(tokens, "agent.tokens"), word };
}

function namesOf(tokens: readonly string[], name: string): Text {
    required(name, tokens, TOKENS);
    if (tokens.length === 0) {
        throw new ArgumentError(`\`${name}\` is empty. Use \`*\` for a crawler that no group names`, name);
    }
    return joined(tokens);
}

/** A question about a crawler, encoded for the modules: names, and flags of the crawler and the reading. */
export interface AskedCrawler extends Named {
    /** A copy of the crawler as given, which later changes do not reach. */
    agent: Agent;
    reading: Reading;
}

/** Reads the arguments after the body: a crawler and a reading, or an object with both. */
export function crawlerOf(
    call: string,
    agent: Agent | AgentQuestion | undefined,
    options: Reading | undefined,
    checks: Checks<Reading> = READING,
): AskedCrawler {
    if (isQuestion(agent)) {
        const { agent: crawler, ...rest } = alone(call, agent, options) as AgentQuestion;
        return crawlerOf(call, crawler ?? missing(call), rest, checks);
    }
    const { names, word } = named(agent as Agent);
    const reading = optionsOf(call, options, checks);
    return { agent: copied(agent as Agent), reading, names, word: word | wordOf(reading) };
}

/** Reads the arguments after the body: a URL, a crawler and a reading, or an object with all three. */
export function askedOf(
    call: string,
    url: Target | UrlQuestion,
    agent: Agent | undefined,
    options: Reading | undefined,
    checks?: Checks<Reading>,
): AskedCrawler & { url: Text } {
    if (agent === undefined && isQuestion(url)) {
        const { url: target, agent: crawler, ...rest } = alone(call, url, options) as UrlQuestion;
        return askedOf(call, target, crawler ?? missing(call), rest, checks);
    }
    if (isSwapped(url, agent)) {
        throw new ArgumentError("`url` and `agent` are swapped. The URL comes first", "url");
    }
    return { url: targetOf(url), ...crawlerOf(call, agent, options, checks) };
}

/** Whether an argument is an object with the arguments after it. */
function isQuestion(value: unknown): boolean {
    return isObject(value) && !("tokens" in value) && !isUrl(value);
}

/** Returns a question, which has the options too. */
function alone<T>(call: string, question: T, options: Reading | undefined): T {
    if (options !== undefined) {
        throw new ArgumentError(`${call}: the options belong in the object with \`agent\``, "options");
    }
    return question;
}

function missing(call: string): never {
    throw new ArgumentError(`${call}: there is no \`agent\`. Use \`*\` for a crawler that no group names`, "agent");
}

function copied(agent: Agent): Agent {
    if (typeof agent === "string") {
        return agent;
    }
    return "tokens" in agent ? { ...agent, tokens: [...agent.tokens] } : [...agent];
}

/** Whether the crawler is an address and the URL is a name. */
function isSwapped(url: unknown, agent: unknown): boolean {
    const isName = typeof url === "string" ? !isAddress(url) : Array.isArray(url) || (isObject(url) && "tokens" in url);
    return isName && isAddress(agent);
}

function isAddress(value: unknown): boolean {
    return isUrl(value) || (typeof value === "string" && /^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(value));
}

/** Extracts the product token of a name such as `ExampleBot/1.0`, or uses `*` if it has none. */
export function withToken<T>(ua: string | null | undefined, ask: (token: string) => T): T {
    const name = ua === undefined || ua === null ? "*" : ua.includes("/") ? ua.slice(0, ua.indexOf("/")).trim() || "*" : ua.trim() || "*";
    try {
        return ask(name);
    } catch (error) {
        if (error instanceof ProductTokenError) {
            return ask(error.likely ?? "*");
        }
        throw error;
    }
}
