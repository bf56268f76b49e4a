// The engine for `require` in Node, Deno and Bun.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Instance } from "../src/instance.js";

const wasm = join(__dirname, "../../../wasm/engine.wasm");

export const engine = new Instance(() => new WebAssembly.Module(readFileSync(wasm)));
