// Every exported member has a sentence in the emitted types, and "go to definition" ends in a source of the package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(new URL("../../peers/package.json", import.meta.url))("typescript");
const root = fileURLToPath(new URL("../..", import.meta.url));
const ENTRIES = ["index", "owner", "access", "gate", "crawlee", "robots-parser"].map((name) => join(root, `dist/${name}.d.ts`));

/** The text of a declaration's comment, without its tags. */
function sentenceOf(node) {
    const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    // A table is not a sentence.
    return (ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? "").replace(/^\|.*$/gm, "");
}

/** What a declaration lacks: a sentence, or a word about a parameter. */
function lacks(node, name, hasParameters) {
    const isSentence = /^[A-Z`][^]*\s[^]*[.):]$/.test(sentenceOf(node).trim());
    const parameters = hasParameters ? (node.parameters ?? node.type?.parameters ?? []) : [];
    const described = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag).filter(({ comment }) => comment).map((tag) => tag.name.text);
    const missing = parameters.map((parameter) => parameter.name.text).filter((parameter) => !described.includes(parameter));
    return [...(isSentence ? [] : [`${name}: no sentence`]), ...missing.map((parameter) => `${name}: no @param ${parameter}`)];
}

/** The members of a class, an interface or an object type that others see. */
function membersOf(node) {
    const members = node.members ?? (node.type && ts.isTypeLiteralNode(node.type) ? node.type.members : []);
    const isHidden = (member) =>
        (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
        (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
    return members.filter((member) => !isHidden(member));
}

function problemsOf(symbol, checker, seen) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (seen.has(target)) {
        return [];
    }
    seen.add(target);
    return target.declarations.flatMap((node) => {
        const name = target.name;
        const isFunction = ts.isFunctionDeclaration(node);
        const isClass = ts.isClassDeclaration(node);
        const own = lacks(ts.isVariableDeclaration(node) ? node.parent.parent : node, name, isFunction);
        return [...own, ...membersOf(node).flatMap((member) => {
            seen.members += 1;
            return lacks(member, `${name}.${member.name?.getText() ?? "constructor"}`, isClass);
        })];
    });
}

test("every exported member has a sentence, and every parameter of a call a word", () => {
    const program = ts.createProgram(ENTRIES, { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [], skipLibCheck: true });
    const checker = program.getTypeChecker();
    const seen = Object.assign(new Set(), { members: 0 });
    const problems = ENTRIES.flatMap((file) => {
        const module = checker.getSymbolAtLocation(program.getSourceFile(file));
        return checker.getExportsOfModule(module).flatMap((symbol) => problemsOf(symbol, checker, seen));
    });
    assert.deepEqual(problems, []);
    assert.ok(seen.size > 80 && seen.members > 300, `${seen.size} exports, ${seen.members} members`);
});

test("declaration maps lead to sources that the package contains", () => {
    const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" }));
    const packed = new Set(files.map(({ path }) => path));
    const types = [...packed].filter((path) => path.endsWith(".d.ts") && /^(cjs\/)?dist\//.test(path));
    assert.ok(types.length > 20, `${types.length}`);
    for (const path of types) {
        const { sources } = JSON.parse(readFileSync(join(root, `${path}.map`), "utf8"));
        const [source] = sources.map((source) => relative(root, join(root, dirname(path), source)));
        assert.ok(packed.has(`${path}.map`) && packed.has(source), `${path}: ${source}`);
    }
});
