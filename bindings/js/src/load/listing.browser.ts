// The owner's module in browsers, available to the engine once `verger/owner` is imported.

import { Provided } from "./provided.js";

export const provided = new Provided("verger/owner");
export const owner = provided.instance;
