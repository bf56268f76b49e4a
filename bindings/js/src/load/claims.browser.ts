// The whole module in browsers for those that import `verger/owner`: there once `verger/access` is.

import { Provided } from "./provided.js";

export const provided = new Provided("verger/access");
export const whole = provided.instance;
