import { ModuleError } from "../errors.js";

/** Compiles a module served with any media type. */
export async function compiled(url: URL): Promise<WebAssembly.Module> {
    const response = await fetch(url);
    if (!response.ok) {
        throw new ModuleError(`cannot load ${url.href}: status ${response.status}`);
    }
    return WebAssembly.compile(await response.arrayBuffer());
}
