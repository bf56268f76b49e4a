// The owner's module in browsers, compiled before the importing module runs.

import { compiled } from "./fetched.js";
import { provide } from "./provided.js";

provide("verger/owner", await compiled(new URL("../../wasm/owner.wasm", import.meta.url)));

export { owner } from "./provided.js";
