// The owner's module in Cloudflare Workers, where an import of a module is the compiled module.

import module from "../../wasm/owner.wasm";
import { Instance } from "../instance.js";

export const owner = new Instance(() => module);
