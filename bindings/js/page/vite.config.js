// Builds the page so that it works from a folder. Browsers neither load modules nor fetch from `file:`. So the scripts are
// classic, and one of them contains the WebAssembly modules as text.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Encodes bytes as a string literal's content: one code unit per byte, whose low eight bits count.
 * With compression, that is 2 % larger than the bytes. Base64 is 31 % larger. */
function textOf(bytes) {
    return Array.from(bytes, (byte) =>
        String.fromCharCode(byte < 0x20 || byte === 0x22 || byte === 0x5c || byte === 0x7f ? byte | 0x100 : byte),
    ).join("");
}

const modules = {
    name: "modules",
    generateBundle() {
        const texts = ["engine", "owner"].map((name) => `"${textOf(readFileSync(path(`../wasm/${name}.wasm`)))}"`);
        this.emitFile({ type: "asset", fileName: "modules.js", source: `var vergerModules = [${texts.join(",\n")}];\n` });
    },
};

/** Puts the tokens of the design before the page's own styles, and the mark into the page. */
const design = {
    name: "design",
    generateBundle() {
        const folder = "../../../crates/verger-page/src/web_page";
        const text = (relative) => readFileSync(path(relative), "utf8");
        const mark = text(`${folder}/mark.svg`).trim();
        const html = text("src/index.html")
            .replace("%mark-data%", `data:image/svg+xml,${encodeURIComponent(mark)}`)
            .replace("%mark%", mark.replace("<svg ", '<svg class="mark" aria-hidden="true" '));
        this.emitFile({ type: "asset", fileName: "index.html", source: html });
        const css = text(`${folder}/tokens.css`) + text("src/page.css");
        this.emitFile({ type: "asset", fileName: "page.css", source: css.replace(/\/\*.*?\*\/|\n\s*/gs, "").replace(/ *([{};]) *|(:) /g, "$1$2") });
    },
};

/** Licences of the bundled packages. */
const licences = {
    name: "licences",
    generateBundle(_, bundle) {
        const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
        const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id)?.[0]).filter(existsSync);
        const texts = [...new Set(folders)].sort().map((folder) => {
            const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
            return `${name} ${version}\n\n${readFileSync(`${folder}LICENSE`, "utf8")}`;
        });
        this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join("\n") });
    },
};

const alias = ["#engine", "#listing", "#owner"].map((find) => ({ find, replacement: path("src/modules.ts") }));
alias.push({ find: "@codemirror/language", replacement: path("src/no_language.ts") });
alias.push({ find: "#claims", replacement: path("../dist/load/provided.js") });

const { version, repository } = JSON.parse(readFileSync(path("../package.json"), "utf8"));
const address = (repository?.url ?? repository ?? "").replace(/^git\+|\.git$/g, "");

export default defineConfig({
    publicDir: false,
    define: { vergerVersion: JSON.stringify(version), vergerRepository: JSON.stringify(address) },
    resolve: { alias },
    plugins: [modules, design, licences],
    worker: { format: "iife" },
    build: {
        target: "es2022",
        lib: { entry: path("src/main.ts"), formats: ["iife"], name: "vergerPage", fileName: () => "page.js" },
    },
});
