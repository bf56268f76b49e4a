// A module in browsers that nothing loads by itself: it is there once another import has it.

import { VergerError } from "../errors.js";
import { Instance } from "../instance.js";

export class Provided {
    readonly instance: Instance;
    #module: WebAssembly.Module | undefined;

    /** `importer` is what has the module. */
    constructor(importer: string) {
        this.instance = new Instance(() => {
            if (this.#module === undefined) {
                throw new VergerError(`in browsers this is in a larger module: import ${importer}, too`);
            }
            return this.#module;
        });
    }

    /** Has the module, from now on. */
    provide(module: WebAssembly.Module): void {
        this.#module = module;
    }
}
