// See `engine.workerd.ts`.

import module from "../../wasm/owner.wasm";
import { Instance } from "../instance.js";

export const owner = new Instance(() => module);
