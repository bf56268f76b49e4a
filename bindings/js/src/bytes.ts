// Strings and bytes.

import type { Text } from "./argument.js";

export const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function decoded(bytes: Uint8Array): string {
    return decoder.decode(bytes);
}

/** Returns the bytes of a string, or a copy of the given bytes. */
export function bytesOf(given: Text): Uint8Array {
    return typeof given === "string" ? encoder.encode(given) : given.slice();
}

/** Returns some parts as one, cut to `max` bytes. */
export function concatenated(parts: readonly Uint8Array[], max = Infinity): Uint8Array<ArrayBuffer> {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const whole = new Uint8Array(Math.min(size, max));
    let at = 0;
    for (const part of parts) {
        const taken = part.subarray(0, whole.length - at);
        whole.set(taken, at);
        at += taken.length;
    }
    return whole;
}
