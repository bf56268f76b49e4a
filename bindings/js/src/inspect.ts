// How objects show themselves in `console.log`. Node, Deno and Bun call the method with this symbol.

import type { Rule } from "./verdict.js";

export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** The function `inspect` of `node:util`. */
export type Inspect = (value: unknown, options: object) => string;

/** Returns rules as they are written in a file. */
export function written(rules: readonly Rule[]): string[] {
    return rules.map(({ effect, pattern }) => `${effect === "allow" ? "Allow" : "Disallow"}: ${pattern}`);
}

/** Returns the name of a class and its contents. */
export function shown(name: string, contents: object, depth: number, options: object, inspect: Inspect): string {
    return depth < 0 ? `[${name}]` : `${name} ${inspect(contents, { ...options, depth: depth + 1 })}`;
}
