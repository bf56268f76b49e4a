// The package's modules inside the page's worker. The page passes them in, because it may not fetch.

import { Instance } from "../../dist/instance.js";

let given: Uint8Array<ArrayBuffer>[] = [];

/** Provides the engine and the owner's module. */
export function provide(modules: Uint8Array<ArrayBuffer>[]): void {
    given = modules;
}

export const engine = new Instance(() => new WebAssembly.Module(given[0]!));
export const owner = new Instance(() => new WebAssembly.Module(given[1]!));
