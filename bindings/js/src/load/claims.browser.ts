// The whole module in browsers, available to `verger/owner` once `verger/access` is imported.

import { Provided } from "./provided.js";

export const provided = new Provided("verger/access");
export const whole = provided.instance;
