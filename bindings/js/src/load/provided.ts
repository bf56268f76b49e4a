// The larger modules in browsers. Each is available only after another import provides it.

import { ModuleError } from "../errors.js";
import { Instance } from "../instance.js";

const modules = new Map<string, WebAssembly.Module>();

/** Returns the instance of the module that an import provides. */
function providedBy(importer: string): Instance {
    return new Instance(() => {
        const module = modules.get(importer);
        if (module === undefined) {
            throw new ModuleError(`this needs a larger module. In browsers, import ${importer} first`);
        }
        return module;
    });
}

export function provide(importer: string, module: WebAssembly.Module): void {
    modules.set(importer, module);
}

export const owner = providedBy("verger/owner");
export const whole = providedBy("verger/access");
