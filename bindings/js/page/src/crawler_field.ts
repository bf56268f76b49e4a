// The chosen crawlers: chips, and a combobox that adds one.

import { button, byId, type Child, el, icon } from "./dom.js";
import type { Crawler } from "./questions.js";

/** Maximum number of options shown at once. */
const OPTIONS_MAX = 40;

/** Sets that are offered first, in reverse. */
const FIRST_SETS = ["@search", "@ai-input", "@ai-train"];

interface Option {
    /** A name of the registry, a set such as `@openai`, or a product token. */
    value: string;
    label: string;
    about: string;
}

/** The first word of an operator as it is written after `@`. */
const setName = (operator: string): string => `@${operator.toLowerCase().replaceAll(" ", "-")}`;

export class CrawlerField {
    /** The choices as entered: names of the registry, sets such as `@ai-train`, and product tokens. */
    chosen: string[] = [];
    readonly #known: readonly Crawler[];
    readonly #sets = new Map<string, Crawler[]>();
    readonly #input = byId<HTMLInputElement>("crawler");
    readonly #list = byId("crawler-options");
    readonly #changed: () => void;
    #options: Option[] = [];
    #active = -1;

    constructor(known: readonly Crawler[], changed: () => void) {
        this.#known = known;
        this.#changed = changed;
        for (const crawler of known) {
            for (const set of [...crawler.purposes.map((purpose) => `@${purpose}`), setName(crawler.operator)]) {
                this.#sets.set(set, [...(this.#sets.get(set) ?? []), crawler]);
            }
        }
        this.#input.addEventListener("input", () => this.#open());
        this.#input.addEventListener("click", () => this.#open());
        this.#input.addEventListener("blur", () => this.#close());
        this.#input.addEventListener("keydown", (event) => this.#key(event));
        // Otherwise the field loses the focus, and the list closes before the click.
        this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    }

    /** Returns the chosen crawlers, each once. */
    crawlers(): Crawler[] {
        const found = this.chosen.flatMap((value) => this.#sets.get(value.toLowerCase()) ?? [this.#named(value)]);
        return [...new Map(found.map((crawler) => [crawler.name, crawler])).values()];
    }

    choose(values: string[]): void {
        this.chosen = [...new Set(values)];
        this.#showChips();
    }

    #named(value: string): Crawler {
        const isIt = (name: string): boolean => name.toLowerCase() === value.toLowerCase();
        const found = this.#known.find(({ name, label }) => isIt(name) || isIt(label));
        const label = value === "*" ? "any other crawler" : value;
        return found ?? { name: value, label, operator: "", purposes: [], tokens: [value], star: "honoured", dialect: "rfc9309" };
    }

    #showChips(): void {
        const chips = this.chosen.map((value) => {
            const set = this.#sets.get(value.toLowerCase());
            const label = set === undefined ? this.#named(value).label : `${value} (${set.length})`;
            const remove = button(icon("remove"), () => {
                this.choose(this.chosen.filter((other) => other !== value));
                this.#changed();
                this.#input.focus();
            });
            remove.ariaLabel = `Remove ${label}`;
            return el("li", { className: "chip" }, label, remove);
        });
        byId("chips").replaceChildren(...chips);
    }

    /** Returns what fits the text: names and tokens first, then operators and purposes. */
    #matching(text: string): Option[] {
        const query = text.trim().toLowerCase();
        const known = this.#known.map(({ name, label, operator, purposes }) => ({ value: name, label, about: `${operator}: ${purposes.join(", ")}` }));
        const sets = Array.from(this.#sets, ([value, { length }]) => ({ value, label: value, about: `${length} crawlers` }));
        sets.sort((one, other) => FIRST_SETS.indexOf(other.value) - FIRST_SETS.indexOf(one.value));
        const other = { value: "*", label: "*", about: "any other crawler, which no group names" };
        if (query === "") {
            return [...known.slice(0, 8), other, ...sets.slice(0, 12)];
        }
        const all = [...sets, ...known, other];
        const begin = all.filter(({ label }) => label.toLowerCase().startsWith(query));
        // A whole `User-Agent` header contains the token.
        const within = all.filter(({ label, about }) => `${label} ${about}`.toLowerCase().includes(query) || (label.length > 3 && query.includes(label.toLowerCase())));
        const found = [...new Set([...begin, ...within])];
        const token = /^[a-z_-]+/i.exec(text.trim())?.[0];
        const isKnown = found.some(({ label }) => label.toLowerCase() === token?.toLowerCase());
        const about = token === text.trim() ? "by this name" : `“${text.trim()}” is not a product token; use ${token}`;
        return token === undefined || isKnown ? found : [...found, { value: token, label: token, about }];
    }

    #open(): void {
        this.#options = this.#matching(this.#input.value).filter(({ value }) => !this.chosen.includes(value)).slice(0, OPTIONS_MAX);
        this.#activate(this.#input.value === "" ? -1 : 0);
        this.#list.hidden = this.#options.length === 0;
        this.#input.ariaExpanded = String(!this.#list.hidden);
    }

    #close(): void {
        this.#list.hidden = true;
        this.#input.ariaExpanded = "false";
        this.#input.removeAttribute("aria-activedescendant");
    }

    #activate(active: number): void {
        this.#active = active;
        const options = this.#options.map(({ label, about, value }, at) => {
            const parts: Child[] = [el("span", { className: "name" }, label), el("span", { className: "about" }, about)];
            const option = el("li", { role: "option", id: `option-${at}`, onclick: () => this.#take(value) }, ...parts);
            option.ariaSelected = String(at === active);
            return option;
        });
        this.#list.replaceChildren(...options);
        options[active]?.scrollIntoView({ block: "nearest" });
        if (active >= 0 && options.length > 0) {
            this.#input.setAttribute("aria-activedescendant", `option-${active}`);
        } else {
            this.#input.removeAttribute("aria-activedescendant");
        }
    }

    #key(event: KeyboardEvent): void {
        const { key } = event;
        const count = this.#options.length;
        if (key === "ArrowDown" || key === "ArrowUp") {
            event.preventDefault();
            if (this.#list.hidden) {
                this.#open();
            } else if (count > 0) {
                this.#activate((this.#active + (key === "ArrowDown" ? 1 : this.#active < 0 ? 0 : -1) + count) % count);
            }
        } else if (key === "Enter") {
            event.preventDefault();
            const option = this.#list.hidden ? undefined : this.#options[this.#active];
            if (option !== undefined) {
                this.#take(option.value);
            }
        } else if (key === "Escape") {
            this.#close();
        } else if (key === "Backspace" && this.#input.value === "" && this.chosen.length > 0) {
            this.choose(this.chosen.slice(0, -1));
            this.#changed();
        }
    }

    #take(value: string): void {
        this.#input.value = "";
        this.choose([...this.chosen, value]);
        this.#close();
        this.#changed();
    }
}
