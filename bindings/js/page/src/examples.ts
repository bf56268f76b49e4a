// Files to try. The first one is shown at the start.

import shop from "./examples/shop.txt?raw";
import wordpress from "./examples/wordpress.txt?raw";
import search from "./examples/search-engines.txt?raw";
import mistakes from "./examples/mistakes.txt?raw";

export const EXAMPLES = [
    { title: "A shop", file: shop },
    { title: "WordPress", file: wordpress },
    { title: "Only search engines", file: search },
    { title: "A file with mistakes", file: mistakes },
] as const;
