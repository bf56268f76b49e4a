// The owner's module for `require`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Instance } from "../src/instance.js";

const wasm = join(__dirname, "../../../wasm/owner.wasm");

export const owner = new Instance(() => new WebAssembly.Module(readFileSync(wasm)));
