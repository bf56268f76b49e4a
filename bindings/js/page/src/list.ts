export const URLS_MAX = 100_000;

/** Returns the `loc` URLs of a sitemap, or the lines of a list. `isCut` is whether there were more. */
export function urlsOf(text: string): { urls: string[]; isCut: boolean } {
    const all = /^[\s\uFEFF]*</.test(text) ? locations(text) : text.split(/\r\n?|\n/);
    const urls = all.map((url) => url.trim().replace(/[\r\n]+/g, "")).filter((url) => url !== "");
    return { urls: urls.slice(0, URLS_MAX), isCut: urls.length > URLS_MAX };
}

function locations(text: string): string[] {
    const sitemap = new DOMParser().parseFromString(text.trimStart(), "application/xml");
    if (sitemap.querySelector("parsererror") !== null) {
        throw new Error("the XML is not well-formed");
    }
    return Array.from(sitemap.getElementsByTagNameNS("*", "loc"), (element) => element.textContent);
}
