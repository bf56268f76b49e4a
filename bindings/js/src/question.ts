// What a question says about the reading of a body and about the crawler, as the modules take it.

import { joined, type Bytes } from "./instance.js";

/** The document that a body is read by. */
export type Dialect = "rfc9309" | "google" | "draft2019" | "koster1996";

/** What may be read otherwise than the dialect says. */
export type ReadingOption =
    | "lenient-other-records"
    | "lenient-lines"
    | "ignore-allow"
    | "bridge-encodings"
    | "comma-agents";

/** How a body is read. */
export interface Reading {
    /** Default: `rfc9309`. */
    dialect?: Dialect;
    /** Default: none. */
    options?: readonly ReadingOption[];
}

/** A crawler that looks up several product tokens, as the registry of `verger/owner` has them. */
export interface Crawler {
    /** Product tokens in the order in which it looks them up. */
    tokens: readonly string[];
    /** Whether the groups for `*` apply to it where none names it. Default: `honoured`. */
    star?: "honoured" | "ignored";
    /** Whether the groups of all its tokens apply as one, which `google` alone has. Default: false. */
    union?: boolean;
}

/** A product token (`*` for a crawler that no group names), several in the order in which they are looked up,
 * or a crawler. */
export type Agent = string | readonly string[] | Crawler;

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

/** The reading as a word. */
export function readingWord({ dialect = "rfc9309", options = [] }: Reading): number {
    const word = DIALECTS.indexOf(dialect);
    if (word < 0) {
        throw new TypeError(`${String(dialect)} is no dialect; the dialects are ${DIALECTS.join(", ")}`);
    }
    return options.reduce((sum, option) => {
        const bit = OPTIONS.indexOf(option);
        if (bit < 0) {
            throw new TypeError(`${String(option)} is no option of reading; the options are ${OPTIONS.join(", ")}`);
        }
        return sum | (1 << (bit + OPTIONS_FROM));
    }, word);
}

/** The names of a crawler as one text, and what the word says about it. */
export function named(agent: Agent): { names: Bytes; word: number } {
    if (typeof agent === "string") {
        return { names: agent, word: 0 };
    }
    if (!("tokens" in agent)) {
        return { names: joined(checked(agent)), word: 0 };
    }
    const { tokens, star, union } = agent;
    const word = (star === "ignored" ? STAR_IGNORED : 0) | (union === true ? UNION : 0);
    return { names: joined(checked(tokens)), word };
}

function checked(names: readonly string[]): readonly string[] {
    if (names.some((name) => typeof name !== "string")) {
        throw new TypeError("a product token is a text");
    }
    if (names.length === 0) {
        throw new TypeError("the list of product tokens is empty");
    }
    return names;
}
