// The owner's module in Node, Deno and Bun, compiled at the first call.

import { Instance } from "../instance.js";
import { moduleOf } from "./file.js";

export const owner = new Instance(moduleOf("owner.wasm"));
