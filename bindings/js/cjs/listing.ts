// The larger module for `require`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Instance } from "../src/instance.js";

const wasm = join(__dirname, "../../../wasm/verger.wasm");

export const whole = new Instance(() => new WebAssembly.Module(readFileSync(wasm)));
