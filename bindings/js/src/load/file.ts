import { readFileSync } from "node:fs";
import { ModuleError } from "../errors.js";

/** Compiles a module of the package. */
export function moduleOf(name: string): () => WebAssembly.Module {
    return () => {
        const url = new URL(`../../wasm/${name}`, import.meta.url);
        let bytes;
        try {
            bytes = readFileSync(url);
        } catch (cause) {
            const { name: kind, message } = cause as Error;
            const isDenied = ["NotCapable", "PermissionDenied"].includes(kind);
            const why = isDenied ? "Deno needs the flag --allow-read" : message;
            throw new ModuleError(`cannot read ${url.pathname}: ${why}`, { cause });
        }
        return new WebAssembly.Module(bytes);
    };
}
