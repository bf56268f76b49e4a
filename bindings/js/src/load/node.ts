// The modules in Node, Deno and Bun, each compiled at its first call.

import { Instance } from "../instance.js";
import { moduleOf } from "./file.js";

export const engine = new Instance(moduleOf("engine.wasm"));
export const owner = new Instance(moduleOf("owner.wasm"));
export const whole = new Instance(moduleOf("verger.wasm"));
