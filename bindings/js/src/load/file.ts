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
            const isDenied = ["NotCapable", "PermissionDenied"].includes((cause as Error).name);
            const help = isDenied ? ". Run Deno with `--allow-read`" : "";
            throw new ModuleError(`cannot read ${url.pathname}: ${(cause as Error).message}${help}`, { cause });
        }
        return new WebAssembly.Module(bytes);
    };
}
