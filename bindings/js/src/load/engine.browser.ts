// The engine in browsers, compiled before the importing module runs.

import { Instance } from "../instance.js";
import { compiled } from "./fetched.js";

const module = await compiled(new URL("../../wasm/engine.wasm", import.meta.url));

export const engine = new Instance(() => module);
