// The whole module in browsers for those that import the engine: there once `verger/owner` is.

import { VergerError } from "../errors.js";
import { Instance } from "../instance.js";

let module: WebAssembly.Module | undefined;

export const whole = new Instance(() => {
    if (module === undefined) {
        throw new VergerError("in browsers this is in the larger module: import verger/owner, too");
    }
    return module;
});

/** Has the module, from now on. */
export function provide(compiled: WebAssembly.Module): void {
    module = compiled;
}
