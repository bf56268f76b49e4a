// See `engine.workerd.ts`.

import module from "../../wasm/verger.wasm";
import { Instance } from "../instance.js";

export const whole = new Instance(() => module);
