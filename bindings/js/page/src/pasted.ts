// A pasted page: its response head and its elements. No script runs and nothing is loaded.

/** The place of an element in the HTML. */
interface Placed {
    line: number;
    inHead: boolean;
}

/** The elements of a page that matter to crawlers. */
export interface Elements {
    metas: ({ name: string; content: string } & Placed)[];
    links: ({ rel: string; href: string } & Placed)[];
    /** Whether the HTML that is read ends within the head, so elements of the head may be missing. */
    isCut: boolean;
}

/** Maximum length of the HTML that is read. The command reads as many bytes. */
const HTML_MAX = 1 << 20;

const LINE = "data-verger-line";
/** The start of a comment, of an element, or of another tag. */
const TAG = /<!--|<([a-z][^\s/>]*)|<[!?/]/gi;
/** Elements whose content is text in a browser that runs scripts. */
const OF_TEXT = /^(script|style|noscript|title|textarea|iframe|noframes|noembed|xmp)$/i;
const OF_CRAWLERS = /^(meta|link)$/i;

/**
 * Removes comments, the content of elements of text, and the attributes of elements that do not matter, because the policy
 * of this page would report styles and handlers. Writes the line of each `meta` and `link` into an attribute. Without the
 * content of `noscript`, a parser that runs no scripts finds the head of a browser.
 */
function marked(html: string): string {
    const parts: string[] = [];
    let [line, counted, from] = [1, 0, 0];
    const tag = new RegExp(TAG);
    for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
        const [text, name = ""] = found;
        const [start, end] = [found.index, tag.lastIndex];
        if (text === "<!--") {
            parts.push(html.slice(from, start));
            // `<!-->` is a whole comment.
            from = endOf(html, /--!?>/g, end - 2);
            tag.lastIndex = from;
            continue;
        }
        if (name === "") {
            tag.lastIndex = endOf(html, />/g, end);
            continue;
        }
        const after = endOfTag(html, end);
        parts.push(html.slice(from, start));
        if (OF_TEXT.test(name)) {
            // They are treated alike, and an empty `style` would be reported, too.
            const kept = name.toLowerCase() === "style" ? "noframes" : name;
            parts.push(`<${kept}></${kept}>`);
            from = endOf(html, />/g, endOf(html, new RegExp(`</${name}(?=[\\s/>])`, "gi"), after));
        } else if (OF_CRAWLERS.test(name)) {
            line += html.slice(counted, start).split("\n").length - 1;
            counted = start;
            parts.push(`<${name} ${LINE}="${line}"`, html.slice(end, after).replace(/\b(on[a-z]+|style)(?=\s*=)/gi, "data-$1"));
            from = after;
        } else {
            parts.push(`<${name}${html[after - 2] === "/" ? "/" : ""}>`);
            from = after;
        }
        tag.lastIndex = from;
    }
    return parts.join("") + html.slice(from);
}

function endOf(html: string, pattern: RegExp, start: number): number {
    pattern.lastIndex = start;
    const found = pattern.exec(html);
    return found === null ? html.length : found.index + found[0].length;
}

/** Returns the end of a tag. `>` in a quoted value does not end it. */
function endOfTag(html: string, start: number): number {
    const next = /=\s*(["'])|>/g;
    next.lastIndex = start;
    for (let found = next.exec(html); found !== null; found = next.exec(html)) {
        const [text, quote] = found;
        if (quote === undefined || text === ">") {
            return next.lastIndex;
        }
        const close = html.indexOf(quote, next.lastIndex);
        if (close < 0) {
            break;
        }
        next.lastIndex = close + 1;
    }
    return html.length;
}

/** Returns the elements of a page as a browser with scripts finds them. */
export function elementsOf(html: string): Elements {
    const dom = new DOMParser().parseFromString(marked(html.slice(0, HTML_MAX)), "text/html");
    const place = (it: Element): Placed => ({ line: Number(it.getAttribute(LINE)), inHead: it.parentNode === dom.head });
    const metas = Array.from(dom.querySelectorAll<HTMLMetaElement>("meta[name][content]"));
    const links = Array.from(dom.querySelectorAll<HTMLLinkElement>("link[rel][href]"));
    return {
        metas: metas.map((it) => ({ name: it.name, content: it.content, ...place(it) })),
        // The attribute, because the property would be resolved against the address of this page.
        links: links.map((it) => ({ rel: it.rel, href: it.getAttribute("href")!, ...place(it) })),
        isCut: html.length > HTML_MAX && dom.body.childNodes.length === 0,
    };
}

/** Returns the start of the HTML in the output of `curl --include`, or undefined without HTML. */
export function startOfHtml(head: string): number | undefined {
    const end = /\n\n(?=\s*\S)(?!HTTP\/)/.exec(head);
    return end === null ? undefined : end.index + end[0].length;
}
