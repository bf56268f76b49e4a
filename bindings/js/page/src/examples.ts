// Files to try. The first one is shown at the start.

export const EXAMPLES: readonly { title: string; file: string }[] = [
    {
        title: "A shop",
        file: `User-agent: *
Disallow: /cart/
Disallow: /*?sort=
Disallow: /*&sort=

# Models are not trained on our texts.
User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`,
    },
    {
        title: "WordPress",
        file: `User-agent: *
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php

Sitemap: https://blog.example/wp-sitemap.xml
`,
    },
    {
        title: "Only search engines",
        file: `User-agent: Googlebot
User-agent: bingbot
User-agent: DuckDuckBot
Disallow:

User-agent: *
Disallow: /
`,
    },
    {
        title: "A file with mistakes",
        file: `User-agent: *
Dissalow: /private/
Disallow: /search

Sitemap: /sitemap.xml

User-agent: Googelbot
User-agent: GPT Bot
disallow /
`,
    },
];
