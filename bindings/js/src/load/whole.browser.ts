// The whole module in browsers: compiled before the importing module runs.

import { Instance } from "../instance.js";
import { compiled } from "./fetched.js";

const module = await compiled(new URL("../../wasm/verger.wasm", import.meta.url));

export const whole = new Instance(() => module);
