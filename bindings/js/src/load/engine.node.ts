// The engine in Node, Deno and Bun, compiled at the first call.

import { Instance } from "../instance.js";
import { moduleOf } from "./file.js";

export const engine = new Instance(moduleOf("engine.wasm"));
