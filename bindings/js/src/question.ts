// The reading and the crawler of a question, encoded for the modules.

import { type Checks, isObject, isUrl, oneOf, optionsOf, type Target, targetOf, type Text, wrong } from "./argument.js";
import { ArgumentError, ProductTokenError, TargetError } from "./errors.js";
import { joined } from "./instance.js";

/** The document by which a body is read. */
export type Dialect = "rfc9309" | "google" | "draft2019" | "koster1996";

/** A deviation from the dialect. */
export type ReadingOption =
    | "lenient-other-records"
    | "lenient-lines"
    | "ignore-allow"
    | "bridge-encodings"
    | "comma-agents";

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

const DIALECTS: readonly Dialect[] = ["rfc9309", "google", "draft2019", "koster1996"];
const OPTIONS: readonly ReadingOption[] = [
    "lenient-other-records",
    "lenient-lines",
    "ignore-allow",
    "bridge-encodings",
    "comma-agents",
];
const OPTIONS_FROM = 2;
const STAR_IGNORED = 1 << 8;
const UNION = 1 << 9;
export const AS_OPERATOR = 1 << 10;

const IS_OPTIONS = (value: unknown): boolean => Array.isArray(value) && value.every((one) => OPTIONS.includes(one));
export const READING: Checks<Reading> = {
    dialect: oneOf(DIALECTS),
    options: [IS_OPTIONS, `an array of ${OPTIONS.map((option) => `"${option}"`).join(", ")}`],
};

/** The checks of questions about a parsed file, whose reading is known. */
export const NO_READING = {} as Checks<Reading>;

/** Encodes a reading that was checked. */
export function wordOf({ dialect = "rfc9309", options = [] }: Reading): number {
    return options.reduce((sum, option) => sum | (1 << (OPTIONS.indexOf(option) + OPTIONS_FROM)), DIALECTS.indexOf(dialect));
}

/** Checks and encodes a reading. */
export function readingWord(call: string, reading: Reading | undefined): number {
    return reading === undefined ? 0 : wordOf(optionsOf(call, reading, READING));
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
        return { names: joined(checked(agent, "agent")), word: 0 };
    }
    if (!isObject(agent) || !("tokens" in agent)) {
        throw wrong("agent", "a product token, an array of them, or a crawler with `tokens`", agent);
    }
    const { tokens, star = "honoured", union = false } = agent as unknown as Crawler;
    if (star !== "honoured" && star !== "ignored") {
        throw wrong("agent.star", "one of honoured, ignored", star);
    }
    if (typeof union !== "boolean") {
        throw wrong("agent.union", "true or false", union);
    }
    const word = (star === "ignored" ? STAR_IGNORED : 0) | (union ? UNION : 0);
    return { names: joined(checked(tokens, "agent.tokens")), word };
}

/** Returns a copy that later changes of the given crawler do not reach. */
function copied(agent: Agent): Agent {
    if (typeof agent === "string") {
        return agent;
    }
    return "tokens" in agent ? { ...agent, tokens: [...agent.tokens] } : [...agent];
}

function checked(names: unknown, name: string): readonly string[] {
    if (!Array.isArray(names) || names.some((one) => typeof one !== "string")) {
        throw wrong(name, "an array of product tokens", names);
    }
    if (names.length === 0) {
        throw new ArgumentError(`\`${name}\` is empty. Use \`*\` for a crawler that no group names`, name);
    }
    return names;
}

/** A question about a URL, encoded for the modules. */
export interface Asked extends Named {
    url: Text;
    /** The crawler as given. */
    agent: Agent;
}

/**
 * Reads the arguments after the body: a URL, a crawler and a reading, or an object with all three.
 *
 * `wordFor` encodes the reading.
 */
export function askedOf(
    call: string,
    url: Target | UrlQuestion,
    agent: Agent | undefined,
    reading: Reading | undefined,
    wordFor: (call: string, reading: Reading | undefined, agent: Agent) => number = readingWord,
): Asked {
    if (agent === undefined && isObject(url) && !isUrl(url)) {
        const { url: target, agent: crawler, ...rest } = alone(call, url, reading) as unknown as UrlQuestion;
        return askedOf(call, target, crawler ?? missing(call), rest, wordFor);
    }
    if (isSwapped(url, agent)) {
        throw swapped();
    }
    const { names, word } = named(agent as Agent);
    return { url: targetOf(url), names, word: word | wordFor(call, reading, agent as Agent), agent: agent as Agent };
}

/** Returns a question, which has the options too. */
function alone<T>(call: string, question: T, reading: Reading | undefined): T {
    if (reading !== undefined) {
        throw new ArgumentError(`${call}: the options belong in the object with \`agent\``, "options");
    }
    return question;
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

function missing(call: string): never {
    throw new ArgumentError(`${call}: there is no \`agent\`. Use \`*\` for a crawler that no group names`, "agent");
}

/** Explains an error of the engine if the URL and the crawler are swapped. */
export function explained(error: unknown, url: unknown, agent: unknown): unknown {
    const isAboutThem = error instanceof TargetError || error instanceof ProductTokenError;
    return isAboutThem && isSwapped(url, agent) ? swapped() : error;
}

/** Whether the crawler is an address and the URL is a name. */
function isSwapped(url: unknown, agent: unknown): boolean {
    const isName = typeof url === "string" ? !isAddress(url) : Array.isArray(url) || (isObject(url) && "tokens" in url);
    return isName && isAddress(agent);
}

function isAddress(value: unknown): boolean {
    return isUrl(value) || (typeof value === "string" && /^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(value));
}

function swapped(): ArgumentError {
    return new ArgumentError(`\`url\` and \`agent\` are swapped. The URL comes first`, "url");
}

/** Reads the arguments after the body: a crawler and a reading, or an object with both. */
export function crawlerOf(
    call: string,
    agent: Agent | AgentQuestion,
    reading: Reading | undefined,
    checks: Checks<Reading> = READING,
): { agent: Agent; reading: Reading; word: number; names: Text } {
    if (isObject(agent) && !("tokens" in agent) && !isUrl(agent)) {
        const { agent: crawler, ...rest } = alone(call, agent, reading) as unknown as AgentQuestion;
        return crawlerOf(call, crawler ?? missing(call), rest, checks);
    }
    const { names, word } = named(agent as Agent);
    const checkedReading = optionsOf(call, reading, checks);
    return { agent: copied(agent as Agent), reading: checkedReading, word: word | wordOf(checkedReading), names };
}

