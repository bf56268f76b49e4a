// The engine in Cloudflare Workers, where an import of a module is the compiled module.

import module from "../../wasm/engine.wasm";
import { Instance } from "../instance.js";

export const engine = new Instance(() => module);
