// The whole module in browsers, compiled before the importing module runs.

import { compiled } from "./fetched.js";
import { provide } from "./provided.js";

provide("verger/access", await compiled(new URL("../../wasm/verger.wasm", import.meta.url)));

export { whole } from "./provided.js";
