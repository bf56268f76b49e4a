// The page as files that work from a folder: classic scripts, since a browser loads no module from `file:`, and the
// WebAssembly modules as text in one of them, since it fetches nothing from there either.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Octets as text that stands between quotes as it is: a code unit an octet, of which the low eight bits count.
 * Compressed, it is 2 % longer than the octets; base64 is 31 % longer. */
function textOf(octets) {
    return Array.from(octets, (octet) =>
        String.fromCharCode(octet < 0x20 || octet === 0x22 || octet === 0x5c || octet === 0x7f ? octet | 0x100 : octet),
    ).join("");
}

const modules = {
    name: "modules",
    generateBundle() {
        const texts = ["engine", "verger"].map((name) => `"${textOf(readFileSync(path(`../wasm/${name}.wasm`)))}"`);
        this.emitFile({ type: "asset", fileName: "modules.js", source: `var vergerModules = [${texts.join(",\n")}];\n` });
    },
};

const alias = ["#engine", "#listing", "#whole"].map((find) => ({ find, replacement: path("src/modules.ts") }));

export default defineConfig({
    publicDir: "static",
    resolve: { alias },
    plugins: [modules],
    worker: { format: "iife" },
    build: {
        target: "es2022",
        lib: { entry: path("src/main.ts"), formats: ["iife"], name: "vergerPage", fileName: () => "page.js" },
    },
});
