// The modules of the package in a worker of the page, which hands them in: the page fetches nothing.

import { Instance } from "../../dist/instance.js";

let given: Uint8Array<ArrayBuffer>[] = [];

/** Has both modules, from now on: the engine, and that of questions about whole files. */
export function provide(modules: Uint8Array<ArrayBuffer>[]): void {
    given = modules;
}

export const engine = new Instance(() => new WebAssembly.Module(given[0]!));
export const owner = new Instance(() => new WebAssembly.Module(given[1]!));
