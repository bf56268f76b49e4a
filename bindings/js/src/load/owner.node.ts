// The owner's module in Node, Deno and Bun: read from the package, compiled at the first call.

import { Instance } from "../instance.js";
import { moduleOf } from "./file.js";

export const owner = new Instance(moduleOf("owner.wasm"));
