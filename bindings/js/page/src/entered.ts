// Typed and pasted text: URLs, the site, and texts that are not a robots.txt.

/** A URL as it was entered, and as it is asked about. */
export interface EnteredUrl {
    text: string;
    url: string;
    /** How it was understood, if that is not obvious. */
    note?: string;
}

const FILE_NAMES = /\.(html?|php|aspx?|jsp|txt|xml|json|pdf|jpe?g|png|gif|svg|css|m?js|zip|gz)$/i;

export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/).map((line) => line.trim()).filter((line) => line !== "");

/** Completes a URL without a scheme, and a path without a slash. */
export function enteredUrl(text: string): EnteredUrl {
    if (/^https?:/i.test(text)) {
        const isCapital = /^HTTPS?:/.test(text) && /[A-Z]/.test(text.slice(8));
        return { text, url: text, ...(isCapital && { note: "Capital letters count: /PRIVATE and /private are different paths." }) };
    }
    if (text.startsWith("//")) {
        return { text, url: `https:${text}`, note: `Taken as https:${text}` };
    }
    if (text.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text)) {
        return { text, url: text };
    }
    const host = /^[^/?#:]+/.exec(text)?.[0] ?? "";
    if (/^[^\s.]+(\.[^\s.]+)+$/u.test(host) && !FILE_NAMES.test(host)) {
        return { text, url: `https://${text}`, note: `Taken as https://${text}` };
    }
    return /\s/.test(text) ? { text, url: text } : { text, url: `/${text}`, note: `Taken as the path /${text}` };
}

/** Returns the scheme and host of a URL, if the engine surely accepts them. */
export function siteOf(url: string): string | undefined {
    return /^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?(?=[/?#]|$)/i.exec(url.trim())?.[0].toLowerCase();
}

/** Returns the site of the first Sitemap line that names one. */
export function siteOfSitemaps(file: string): string | undefined {
    for (const [, url] of file.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(https?:\S+)/gim)) {
        const site = siteOf(url!);
        if (site !== undefined) {
            return site;
        }
    }
    return undefined;
}

/** Number of lines in which paths are looked for. */
const LINES_MAX = 2_000;

/** Proposes paths that the rules of a file decide about. */
export function proposals(file: string, count: number): string[] {
    const found = new Set<string>();
    for (const line of file.slice(0, LINES_MAX * 80).split(/\r\n?|\n/, LINES_MAX)) {
        const pattern = /^\s*(?:dis)?allow\s*:\s*([/*][^\s#]*)/i.exec(line)?.[1];
        if (pattern === undefined || found.size >= count) {
            continue;
        }
        const path = pattern.replace(/\$$/, "").replace(/\*(?=[?&])/g, "").replace(/\*(?=.)/g, "a").replace(/\*$/, "");
        const query = path.replace(/^([^?]*)&/, "$1?a=b&").replace(/=$/, "=a").replace(/\?$/, "?s=a");
        found.add(query.startsWith("/") ? query : `/${query}`);
    }
    found.delete("/");
    return [...found];
}

/** A text that is not what the editor is for. */
export interface Odd {
    title: string;
    advice: string;
    /** The robots.txt to open. */
    link?: string;
}

/** Recognizes an address, a web page, binary data, and a file without content. */
export function oddity(file: string): Odd | undefined {
    const text = file.slice(0, 4_096).trim();
    if (text === "") {
        return {
            title: file === "" ? "The file is empty." : "The file has only blanks.",
            advice: "Crawlers may fetch everything. Paste your robots.txt, open a file, or choose an example.",
        };
    }
    const site = /^(https?:\/\/)?[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/i.test(text) ? siteOf(enteredUrl(text).url) : undefined;
    if (site !== undefined) {
        return {
            title: "This is an address, not a robots.txt.",
            advice: "This page sends no requests. Open the file, copy its text, and paste it here:",
            link: `${site}/robots.txt`,
        };
    }
    if (/^\uFEFF?\s*<(!doctype|html|head|body|\?xml)/i.test(text)) {
        return {
            title: `This is ${/^\uFEFF?\s*<\?xml/i.test(text) ? "an XML file" : "an HTML page"}, not a robots.txt.`,
            advice: "Crawlers find no rules in it and may fetch everything. A server often sends such a page instead of an error 404.",
        };
    }
    const strange = text.match(/[\0-\x08\x0E-\x1F\uFFFD]/g)?.length ?? 0;
    if (text.includes("\0") || strange > text.length / 10) {
        return {
            title: "This is binary data, not a robots.txt.",
            advice: "Crawlers find no rules in it. If the file is compressed or in UTF-16, save it as plain UTF-8 text.",
        };
    }
    return undefined;
}
