// The owner's module in browsers for those that import the engine: there once `verger/owner` is.

import { Provided } from "./provided.js";

export const provided = new Provided("verger/owner");
export const owner = provided.instance;
