// A module in browsers that is available only after another import provides it.

import { ModuleError } from "../errors.js";
import { Instance } from "../instance.js";

export class Provided {
    readonly instance: Instance;
    #module: WebAssembly.Module | undefined;

    /** `importer` is the import that provides it. */
    constructor(importer: string) {
        this.instance = new Instance(() => {
            if (this.#module === undefined) {
                throw new ModuleError(`this needs a larger module. In browsers, import ${importer} first`);
            }
            return this.#module;
        });
    }

    provide(module: WebAssembly.Module): void {
        this.#module = module;
    }
}
