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

/** Whether a value is valid, what is expected, and the names that are expected. */
export type Check = readonly [isValid: (value: unknown) => boolean, expected: string, names?: readonly string[]];

/** The checks of all options of a call. */
export type Checks<T> = { readonly [name in keyof Required<T>]: Check };

export const STRING: Check = [isString, "a string"];
export const STRINGS: Check = [(value) => Array.isArray(value) && value.every(isString), "an array of strings"];
export const URL_OF_SITE: Check = [(value) => isUrl(value) || (isString(value) && value.includes("://")), "an absolute URL such as https://example.com"];
export const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
export const CALL: Check = [(value) => typeof value === "function", "a function"];
export const OBJECT: Check = [isObject, "an object"];
export const COUNT: Check = [(value) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number, at least 0"];
export const AGENTS: Check = [(value) => isString(value) || STRINGS[0](value), "a product token or an array of them"];

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
    return [(value) => names.includes(value as string), `one of ${names.join(", ")}`, names];
}

/** An array of some names. */
export function someOf(names: readonly string[]): Check {
    const isValid = (value: unknown): boolean => STRINGS[0](value) && (value as string[]).every((one) => names.includes(one));
    return [isValid, `an array of ${names.map((name) => `"${name}"`).join(", ")}`, names];
}

/** Returns a text for the modules. Bytes are not copied. */
export function textOf(given: unknown, name: string): Text {
    const text = isString(given) ? given : viewOf(given);
    if (text === undefined) {
        throw wrong(name, "a string or bytes", given, HELP[kindOf(given)]);
    }
    return text;
}

/** Returns a URL for the modules. */
export function targetOf(given: unknown, name = "url"): Text {
    const text = isString(given) ? given : isUrl(given) ? given.href : viewOf(given);
    if (text === undefined) {
        throw wrong(name, "a URL or a path", given);
    }
    return text;
}

/** Returns a URL as a string. */
export function urlOf(given: unknown, name = "url"): string {
    const url = isUrl(given) ? given.href : given;
    if (!isString(url)) {
        throw wrong(name, "a URL", given);
    }
    return url;
}

/** Throws unless a value is valid. */
export function required(name: string, value: unknown, [isValid, expected, names = []]: Check, call?: string): void {
    if (!isValid(value)) {
        const near = isString(value) ? nearest(value, names) : undefined;
        const help = near === undefined ? "" : `. Did you mean \`${near}\`?`;
        throw wrong(name, expected, value, help, call);
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
    const isOptions = (value: unknown): boolean => kindOf(value) === "Object" && !isUrl(value);
    required("options", given, [isOptions, "an object"], call);
    const unknown = Object.keys(given as object).find((name) => !Object.hasOwn(checks, name));
    if (unknown !== undefined) {
        throw new ArgumentError(`${call}: unknown option \`${unknown.slice(0, SHOWN)}\`. ${hint(unknown, checks)}`, unknown);
    }
    for (const [name, check] of Object.entries<Check>(checks)) {
        const value = (given as Record<string, unknown>)[name];
        if (value !== undefined) {
            copy[name] = Array.isArray(value) ? [...value] : value;
            required(name, copy[name], check, call);
        }
    }
    return copy as T;
}

/** Maximum number of characters of a value in a message. */
const SHOWN = 60;

/** Returns the error for a value of the wrong type. */
function wrong(name: string, expected: string, given: unknown, help = "", call?: string): ArgumentError {
    const shown = ["number", "string", "boolean"].includes(typeof given) ? `\`${String(given).slice(0, SHOWN)}\`` : kindOf(given);
    const prefix = call === undefined ? "" : `${call}: `;
    return new ArgumentError(`${prefix}\`${name}\` must be ${expected}, not ${shown}${help}`, name);
}

/** The step that was probably forgotten, by the kind of value that is passed for a body. */
const HELP: Readonly<Record<string, string>> = {
    Promise: ". Did you forget `await`?",
    Response: ". Pass `await response.arrayBuffer()`",
    URL: ". Pass the contents of the file",
};

/** Returns what to write in place of an unknown option. Its name may be that of a value. */
function hint(name: string, checks: Readonly<Record<string, Check>>): string {
    const known = Object.keys(checks);
    const near = nearest(name, known);
    if (near !== undefined) {
        return `Did you mean \`${near}\`?`;
    }
    for (const [option, [isValid, , values = []]] of Object.entries(checks)) {
        const value = nearest(name, values);
        if (value !== undefined) {
            return `Did you mean \`${option}: ${isValid([value]) ? `["${value}"]` : `"${value}"`}\`?`;
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
    return typeof value === "object" && value !== null && !Array.isArray(value) && viewOf(value) === undefined
        && typeof (value as PromiseLike<unknown>).then !== "function";
}

function isString(value: unknown): value is string {
    return typeof value === "string";
}

/** Returns the bytes of a value without a copy. */
function viewOf(value: unknown): Uint8Array | undefined {
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
