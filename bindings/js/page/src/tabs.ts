// The tabs: arrow keys, one panel at a time, and verdicts apart in windows with three columns.

import { byId } from "./dom.js";

const all = (): HTMLButtonElement[] => Array.from(document.querySelectorAll<HTMLButtonElement>("[role=tab]"));

/** Wide enough for verdicts next to the other tabs. */
const wide = window.matchMedia("(min-width: 100rem)");

export const VERDICTS = "tab-verdicts";

let onSelect: (id: string) => void = () => undefined;

export function selectedTab(): string {
    return all().find((tab) => tab.ariaSelected === "true")?.id ?? VERDICTS;
}

/** Shows the panel of a tab. If there is room, verdicts are always shown, and their tab gives way to that of the crawlers. */
export function selectTab(id: string): void {
    const tabs = all();
    tabs[0]!.hidden = wide.matches;
    const selected = tabs.find((tab) => tab.id === id && !tab.hidden) ?? byId<HTMLButtonElement>("tab-crawlers");
    for (const tab of tabs) {
        const isSelected = tab === selected;
        tab.ariaSelected = String(isSelected);
        tab.tabIndex = isSelected ? 0 : -1;
        const panel = byId(tab.getAttribute("aria-controls")!);
        panel.classList.toggle("shown", isSelected || (tab.id === VERDICTS && wide.matches));
    }
    onSelect(selected.id);
}

export function listenToTabs(selected: (id: string) => void): void {
    onSelect = selected;
    const list = byId("tabs");
    list.addEventListener("click", ({ target }) => {
        const tab = (target as HTMLElement).closest<HTMLElement>("[role=tab]");
        if (tab !== null) {
            selectTab(tab.id);
        }
    });
    list.addEventListener("keydown", (event) => {
        const tabs = all().filter((tab) => !tab.hidden);
        const at = tabs.findIndex((tab) => tab.ariaSelected === "true");
        const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
        const next = steps[event.key];
        if (next !== undefined) {
            event.preventDefault();
            const tab = tabs[next % tabs.length]!;
            selectTab(tab.id);
            tab.focus();
        }
    });
    wide.addEventListener("change", () => selectTab(selectedTab()));
}
