import { readFileSync } from "node:fs";

/** Compiles a module of the package. */
export function moduleOf(name: string): () => WebAssembly.Module {
    return () => new WebAssembly.Module(readFileSync(new URL(`../../wasm/${name}`, import.meta.url)));
}
