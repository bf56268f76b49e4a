// The whole module in Cloudflare Workers, where an import of a module is the compiled module.

import module from "../../wasm/verger.wasm";
import { Instance } from "../instance.js";

export const whole = new Instance(() => module);
