// The reading and the crawler of a question, encoded for the modules.

import { joined, type Bytes } from "./instance.js";

/** The document by which a body is read. */
export type Dialect = "rfc9309" | "google" | "draft2019" | "koster1996";

/** Deviations from the dialect. */
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

/** A crawler with several product tokens, like those of the registry in `verger/owner`. */
export interface Crawler {
    /** Product tokens in lookup order. */
    tokens: readonly string[];
    /** Whether groups for `*` apply if no group names the crawler. Default: `honoured`. */
    star?: "honoured" | "ignored";
    /** Whether the groups of all its tokens apply as one, only in `google`. Default: false. */
    union?: boolean;
}

/** A product token (`*` for a crawler that no group names), several in lookup order, or a `Crawler`. */
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
export const AS_OPERATOR = 1 << 10;

export function readingWord({ dialect = "rfc9309", options = [] }: Reading): number {
    const word = DIALECTS.indexOf(dialect);
    if (word < 0) {
        throw new TypeError(`unknown dialect \`${String(dialect)}\`. Use one of ${DIALECTS.join(", ")}`);
    }
    return options.reduce((sum, option) => {
        const bit = OPTIONS.indexOf(option);
        if (bit < 0) {
            throw new TypeError(`unknown reading option \`${String(option)}\`. Use one of ${OPTIONS.join(", ")}`);
        }
        return sum | (1 << (bit + OPTIONS_FROM));
    }, word);
}

/** Returns the names of a crawler as one text, and its flags. */
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
        throw new TypeError("a product token must be a string");
    }
    if (names.length === 0) {
        throw new TypeError("the list of product tokens is empty. Use `*` for a crawler that no group names");
    }
    return names;
}
