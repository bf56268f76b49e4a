// In the place of `@codemirror/language`, which only commands use that the page has no keys for.

export const [IndentContext, getIndentation, indentString, matchBrackets, syntaxTree, getIndentUnit, indentUnit] = new Array(7);
