// The whole module in browsers: compiled before the importing module runs.

import { compiled } from "./fetched.js";
import { provide, whole } from "./listing.browser.js";

provide(await compiled(new URL("../../wasm/verger.wasm", import.meta.url)));

export { whole };
