// The whole module in browsers, compiled before the importing module runs.

import { provided, whole } from "./claims.browser.js";
import { compiled } from "./fetched.js";

provided.provide(await compiled(new URL("../../wasm/verger.wasm", import.meta.url)));

export { whole };
