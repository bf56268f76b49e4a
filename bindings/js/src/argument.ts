// Reads the arguments of public calls: converts texts and URLs, and rejects wrong types and unknown options by name.
// No other module converts or checks them.

import { ArgumentError } from "./errors.js";

/** A string, which is encoded as UTF-8 with lone surrogates replaced by U+FFFD, or bytes. */
export type Bytes = string | ArrayBufferView | ArrayBuffer;

/** An object with an address, such as a `URL`. */
export interface UrlLike {
    /** The address. */
    readonly href: string;
}

/** An absolute URL or a path that starts with `/`: as a string, as bytes, or as a `URL`. */
export type Target = Bytes | UrlLike;

/** A text as the modules take it. */
export type Text = string | Uint8Array;

/** Whether a value of an option is valid, and what is expected. */
export type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

/** The checks of all options of a call. */
export type Checks<T> = { readonly [name in keyof Required<T>]: Check };

export const STRING: Check = [isString, "a string"];
export const STRINGS: Check = [(value) => Array.isArray(value) && value.every(isString), "an array of strings"];
/** The kind of value that a body is. */
const TEXT = "a string or bytes";
export const URL_OF_SITE: Check = [(value) => isUrl(value) || (isString(value) && value.includes("://")), "an absolute URL such as https://example.com"];
export const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
export const CALL: Check = [(value) => typeof value === "function", "a function"];
export const OBJECT: Check = [isObject, "an object"];
export const COUNT: Check = [(value) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number, at least 0"];
/** Another check of the same call covers it. */
export const ANYTHING: Check = [() => true, ""];

/** A number that is at least `least`. */
export function atLeast(least: number): Check {
    return [(value) => typeof value === "number" && value >= least, `a number, at least ${least}`];
}

/** An object with the given methods. */
export function withMethods(...names: readonly string[]): Check {
    const has = (value: unknown): boolean => names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
    return [(value) => isObject(value) && has(value), `an object with ${names.map((name) => `\`${name}\``).join(" and ")}`];
}

/** One of some names. */
export function oneOf(names: readonly string[]): Check {
    return [(value) => names.includes(value as string), `one of ${names.join(", ")}`];
}

/** Returns a text for the modules. Bytes are not copied. */
export function textOf(given: unknown, name: string): Text {
    const text = typeof given === "string" ? given : bytesOf(given);
    if (text === undefined) {
        throw wrong(name, TEXT, given);
    }
    return text;
}

/** Returns a URL for the modules. */
export function targetOf(given: unknown, name = "url"): Text {
    if (typeof given === "string") {
        return given;
    }
    const text = isUrl(given) ? given.href : bytesOf(given);
    if (text === undefined) {
        throw wrong(name, "a URL or a path", given);
    }
    return text;
}

/** Returns a URL as a string. */
export function urlOf(given: unknown, name = "url"): string {
    const url = isUrl(given) ? given.href : given;
    if (typeof url !== "string") {
        throw wrong(name, "a URL", given);
    }
    return url;
}

/** Throws unless a value is valid. */
export function required(call: string, name: string, value: unknown, [isValid, expected]: Check): void {
    if (!isValid(value)) {
        throw wrong(name, expected, value, call);
    }
}

/**
 * Returns a copy of the options of a call. Each is read once, so a getter cannot change it after the check.
 *
 * @throws {ArgumentError} if they are not an object, an option does not exist, or its value is wrong.
 */
export function optionsOf<T extends object>(call: string, given: unknown, checks: Checks<T>): T {
    const copy: Record<string, unknown> = {};
    if (given === undefined) {
        return copy as T;
    }
    if (kindOf(given) !== "Object" || isUrl(given)) {
        throw wrong("options", "an object", given, call);
    }
    const unknown = Object.keys(given as object).find((name) => !Object.hasOwn(checks, name));
    if (unknown !== undefined) {
        throw new ArgumentError(`${call}: unknown option \`${unknown.slice(0, SHOWN)}\`. ${hint(unknown, Object.keys(checks))}`, unknown);
    }
    for (const name of Object.keys(checks)) {
        const value = (given as Record<string, unknown>)[name];
        if (value !== undefined) {
            copy[name] = Array.isArray(value) ? [...value] : value;
            required(call, name, copy[name], checks[name as keyof T]);
        }
    }
    return copy as T;
}

/** Maximum number of characters of a value in a message. */
const SHOWN = 60;

/** Returns the error for a value of the wrong type. */
export function wrong(name: string, expected: string, given: unknown, call?: string): ArgumentError {
    const kind = kindOf(given);
    const shown = ["number", "string", "boolean"].includes(typeof given) ? `\`${String(given).slice(0, SHOWN)}\`` : kind;
    const near = typeof given === "string" ? nearest(given, expected.replace(/^one of /, "").split(", ")) : undefined;
    const about = expected === TEXT ? (HELP[kind] ?? "") : "";
    const help = near === undefined ? about : `. Did you mean \`${near}\`?`;
    return new ArgumentError(`${call === undefined ? "" : `${call}: `}\`${name}\` must be ${expected}, not ${shown}${help}`, name);
}

const HELP: Readonly<Record<string, string>> = {
    Promise: ". Did you forget `await`?",
    Response: ". Pass `await response.arrayBuffer()`",
    URL: ". Pass the contents of the file",
};

/** Names of values that readers take for options. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
    options: ["lenient-other-records", "lenient-lines", "ignore-allow", "bridge-encodings", "comma-agents"],
    dialect: ["rfc9309", "google", "draft2019", "koster1996"],
};

function hint(name: string, known: readonly string[]): string {
    const near = nearest(name, known);
    if (near !== undefined) {
        return `Did you mean \`${near}\`?`;
    }
    for (const [option, values] of Object.entries(VALUES)) {
        const value = nearest(name, values);
        if (value !== undefined && known.includes(option)) {
            return `Did you mean \`${option}: ${option === "options" ? `["${value}"]` : `"${value}"`}\`?`;
        }
    }
    return known.length === 0 ? "There are no options" : `Use one of ${known.map((one) => `\`${one}\``).join(", ")}`;
}

/** Returns the name that was probably meant: the same letters, or at most one edit per four letters. */
function nearest(name: string, names: readonly string[]): string | undefined {
    const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
    const given = letters(name).slice(0, 40);
    const distances = names.map((one) => [distance(given, letters(one)), one] as const);
    const [least, near] = distances.reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, ""] as const);
    return least <= Math.max(1, given.length / 4) ? near : undefined;
}

/** Returns the number of inserted, deleted, replaced or exchanged letters. */
function distance(a: string, b: string): number {
    let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
    for (let i = 1; i <= a.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= b.length; j += 1) {
            const least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1]));
            const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
            next.push(isExchanged ? Math.min(least, before[j - 2]! + 1) : least);
        }
        [before, row] = [row, next];
    }
    return row[b.length]!;
}

export function isUrl(value: unknown): value is UrlLike {
    return typeof value === "object" && value !== null && isString((value as Partial<UrlLike>).href);
}

/** Whether a value is an object with named members, and not a list, bytes or a promise. */
export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value) && bytesOf(value) === undefined
        && typeof (value as PromiseLike<unknown>).then !== "function";
}

function isString(value: unknown): value is string {
    return typeof value === "string";
}

function bytesOf(value: unknown): Uint8Array | undefined {
    if (ArrayBuffer.isView(value)) {
        return value instanceof Uint8Array ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    return kindOf(value) === "ArrayBuffer" ? new Uint8Array(value as ArrayBuffer) : undefined;
}

function kindOf(value: unknown): string {
    if (value === null || value === undefined) {
        return String(value);
    }
    return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
