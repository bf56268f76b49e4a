// The owner's module in browsers, compiled before the importing module runs.

import { compiled } from "./fetched.js";
import { owner, provided } from "./listing.browser.js";

provided.provide(await compiled(new URL("../../wasm/owner.wasm", import.meta.url)));

export { owner };
