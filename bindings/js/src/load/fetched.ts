/** Compiles a module, with whatever media type it is served. */
export async function compiled(url: URL): Promise<WebAssembly.Module> {
    const response = await fetch(url);
    if (!response.ok) {
        throw new Error(`${url.href}: ${response.status}`);
    }
    return WebAssembly.compile(await response.arrayBuffer());
}
