// The modules for `require` in Node, Deno and Bun.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Instance } from "../src/instance.js";

const read = (name: string) => () => new WebAssembly.Module(readFileSync(join(__dirname, "../../../wasm", name)));

export const engine = new Instance(read("engine.wasm"));
export const owner = new Instance(read("owner.wasm"));
