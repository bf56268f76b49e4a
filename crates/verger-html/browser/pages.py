"""Generates pages with the mistakes of the wild, in the encodings of the wild."""

from __future__ import annotations

import random
from dataclasses import dataclass

NAMES = ["robots", "ROBOTS", "googlebot", "bingbot", "description", "tdm-reservation", " robots", "r&#111;bots"]
CONTENTS = ["noindex", "nofollow, noarchive", "max-snippet:5", "unavailable_after: 25 Jun 2027 15:00:00 GMT", "a&amp;b",
            "a&ampb", "&lt;p&gt;", "a>b", "<b>", "caf\u00e9", "\u65e5\u672c", "\u043c\u0438\u0440", "&eacute;", "&#x65E5;", "a\0b", "&#0;", "a\r\nb",
            "\tnone ", "", "&notit;", "&nosuch;", "noindex&#44;nofollow"]

# Encodings, with the labels that pages use.
ENCODINGS = {
    "utf-8": ["utf-8", "UTF8", "unicode-1-1-utf-8"],
    "cp1252": ["windows-1252", "iso-8859-1", "latin1"],
    "utf-16-le": ["utf-16", "utf-16le"],
    "utf-16-be": ["utf-16be"],
    "shift_jis": ["Shift_JIS", "x-sjis"],
    "euc_jp": ["euc-jp"],
    "iso2022_jp": ["iso-2022-jp"],
    "cp1251": ["windows-1251"],
    "koi8_r": ["koi8-r"],
    "gb18030": ["gb2312", "gbk", "gb18030"],
    "big5": ["big5"],
    "euc_kr": ["euc-kr", "ks_c_5601-1987"],
}
MARKS = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}

OPEN = ["p", "div", "span", "b", "a", "h1", "img", "iframe", "table", "tr", "td", "select", "option", "form", "input",
        "svg", "math", "object", "video", "body", "head", "html", "frameset", "custom-tag", "center", "button", "br",
        "noscript", "nav", "li", "ruby", "foreignObject", "mi", "annotation-xml", "main", "font", "search", "dialog"]
FIXED = [
    "<head>", "<HEAD>", "</head>", "</HEAD >", "<html>", "<html lang=en>", "</html>", "<body>", "<body class=x>", "</body>",
    "<!doctype html>", '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
    "<!DOCTYPE", "<!-- comment -->", "<!-- > -- --!>", "<!-->", "<!--->", "<!--", "-->", "<!x>", "<!>", "<?php echo 1 ?>",
    "<?xml version='1.0'?>", "</ x>", "</>", "<>", "< p>", "<3", "<![CDATA[ x ]]>", "<![CDATA[", "]]>",
    "<template>", "</template>", "<TEMPLATE id=x>", "<noscript>", "</noscript>", "<script>", "</script>",
    "<script>var x = '<meta name=robots content=script>';</script>", "<script><!--<script></script>--></script>",
    "<script><!-- </script>", "<script src=x.js></script>", "<style>p { }</style>", "<style>", "</style>",
    "<title>A &amp; B</title>", "<title>", "</title>", "<TITLE></title >", "<base href=/x>", "<bgsound src=x>", "<basefont>",
    "<link rel=stylesheet href=x.css>", "<link rel=canonical href=/a>", '<link rel="CANONICAL" href=" /b ">',
    "<link rel='license nofollow' href='https://example.com/l?a=1&amp;b=2'>", "<link href=/c>", "<link rel=canonical>",
    "<noframes>", "</noframes>", "<textarea>", "</textarea>", "<xmp>", "</xmp>", "<noembed>", "</noembed>", "<plaintext>",
    "<svg/>", "<svg>", "</svg>", "<math>", "</math>", "<svg><title/></svg>", "<svg><style><b></style></svg>",
    "text", "caf\u00e9", "&nbsp;", "&#32;", "&#x20;", "&Tab;", "&NewLine;", "&amp", "\0", "\f", "\v", "\ufeff", "\u00a0", "\u3000", "\u2028",
    "<meta charset=utf-8>", "<meta charset=bogus>", "<meta http-equiv=refresh content='3600;url=/x'>",
    "<meta http-equiv=X-Robots-Tag content=noindex>", "<meta property=og:title content=x>", "<meta name=robots>",
    "<meta content=noindex>", "<meta name content=x>", "<meta itemprop=name content=y>", "<image>", "</p>", "</br>",
    "<meta name=robots content=a name=b content=c>", "<meta/name=robots/content=slash/>", "<meta name=robots content=no",
    "<meta\nname\n=\nrobots\r\ncontent\t=\f'x'\n>", '<meta name="robots"content="joined">', "<meta name=\"robots\" content=\"open>",
    "<meta =name=x name=robots content=equals>", "<META NAME=ROBOTS CONTENT=NOINDEX>", "<metaname=robots content=x>",
    "<meta\0 name=robots content=x>", "<meta name=robots content='x' <p>", "<svg:meta name=robots content=x>",
    "<select><option>", "</select>", "<template shadowrootmode=open>", "<frameset><frame>", "</frameset>",
]


@dataclass
class Page:
    """A page, and the value of its Content-Type field."""

    body: bytes
    content_type: str


def meta(chance: random.Random) -> str:
    name, content = chance.choice(NAMES), chance.choice(CONTENTS)
    quote = chance.choice(["'", '"'])
    if chance.random() < 0.2 and content and not set(content) & set(" >\t\r\n<"):
        quote = ""
    attributes = [f"name={quote}{name}{quote}", f"content={quote}{content}{quote}"]
    if chance.random() < 0.3:
        attributes.append(chance.choice(["id=x", "Name=second", "CONTENT=second", "http-equiv=refresh", "data-a", "charset=bogus"]))
    if chance.random() < 0.4:
        chance.shuffle(attributes)
    space = chance.choice([" ", " ", " ", "\n", "\r\n", "\t", "/", "  "])
    tag = chance.choice(["meta", "meta", "meta", "META", "Meta"])
    return f"<{tag}{space}{space.join(attributes)}{chance.choice(['', '', '/', ' /', ' '])}>"


def fragment(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.35:
        return meta(chance)
    if kind < 0.8:
        return chance.choice(FIXED)
    if kind < 0.9:
        return f"<{chance.choice(['', '', '/'])}{chance.choice(OPEN)}{chance.choice(['', '', ' a=b', '/'])}>"
    return chance.choice(["\n", " ", "\r\n", "\r", "\t"]) * chance.randint(1, 3)


def text_of(chance: random.Random) -> str:
    starts = ["", "", "<!doctype html>", "<!doctype html>\n<html>\n<head>\n", "<!doctype html><html><head><title>t</title>", "\n", "<html>"]
    parts = [chance.choice(starts)]
    parts += [fragment(chance) for _ in range(chance.randint(1, 20))]
    if chance.random() < 0.3:
        parts.append("</head><body>" + meta(chance))
    return "".join(parts)


def declared(chance: random.Random, label: str) -> str:
    quote = chance.choice(["", '"', "'"])
    forms = [
        f"<meta charset={quote}{label}{quote}>",
        f"<META CHARSET = {quote}{label}{quote} />",
        f"<meta http-equiv=Content-Type content='text/html; charset={label}'>",
        f"<meta content='text/html;CHARSET = {label};x' http-equiv='content-type'>",
        f"<?xml version='1.0' encoding='{label}'?>",
    ]
    return chance.choice(forms)


def page(chance: random.Random) -> Page:
    text = text_of(chance)
    codec = chance.choice(["utf-8"] * 10 + list(ENCODINGS))
    label = chance.choice(ENCODINGS[codec])
    if chance.random() < 0.05:
        label = chance.choice(["utf-8", "windows-1252", "shift_jis", "bogus", "x-user-defined", "utf-16", "utf-7", "hz-gb-2312"])
    how = chance.choice(["header", "meta", "mark", "none", "far meta", "both"])
    content_type, mark = "text/html", b""
    if how in ("header", "both"):
        content_type = chance.choice(["text/html; charset={}", 'text/html;charset="{}"', "Text/HTML; a=b; Charset={}"]).format(label)
    if how in ("meta", "both"):
        text = chance.choice(["", "<!doctype html><head>", "<title>x</title>"]) + declared(chance, label) + text
    if how == "far meta":
        pad = chance.choice(["<!-- {} -->", "<style>{}</style>", "<title>{}</title>", "<p>{}"]).format("x " * chance.randint(100, 900))
        text = pad + declared(chance, label) + text
    if how == "mark":
        mark = MARKS.get(codec, b"")
        if chance.random() < 0.1:
            mark = chance.choice(list(MARKS.values()))
    body = mark + text.encode(codec, "replace")
    if chance.random() < 0.1:
        body = body[: chance.randint(0, len(body))]
    if chance.random() < 0.03:
        at = chance.randint(0, len(body))
        body = body[:at] + bytes(chance.randint(0, 255) for _ in range(chance.randint(1, 4))) + body[at:]
    return Page(body, content_type)


def generated(count: int) -> list[Page]:
    """Return the same pages each time."""
    chance = random.Random(56)
    return [page(chance) for _ in range(count)]
