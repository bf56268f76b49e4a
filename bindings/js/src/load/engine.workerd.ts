// In Cloudflare Workers, importing a module yields the compiled module.

import module from "../../wasm/engine.wasm";
import { Instance } from "../instance.js";

export const engine = new Instance(() => module);
