// In the place of `@codemirror/language`: a robots.txt has no indentation or brackets, and support for them is 2 % of the page.

export const [IndentContext, getIndentation, indentString, matchBrackets, syntaxTree, getIndentUnit, indentUnit] = new Array(7);
