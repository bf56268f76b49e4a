// The keys of the editor. CodeMirror's default keys also know languages, which a robots.txt does not need, and that is a
// tenth of the page.

import * as commands from "@codemirror/commands";
import type { Command, KeyBinding } from "@codemirror/view";

/** A key, what it does, and what it does with Shift. */
const MOVES: [key: string, mac: string, run: Command, shift: Command][] = [
    ["ArrowLeft", "ArrowLeft", commands.cursorCharLeft, commands.selectCharLeft],
    ["ArrowRight", "ArrowRight", commands.cursorCharRight, commands.selectCharRight],
    ["ArrowUp", "ArrowUp", commands.cursorLineUp, commands.selectLineUp],
    ["ArrowDown", "ArrowDown", commands.cursorLineDown, commands.selectLineDown],
    ["Ctrl-ArrowLeft", "Alt-ArrowLeft", commands.cursorGroupLeft, commands.selectGroupLeft],
    ["Ctrl-ArrowRight", "Alt-ArrowRight", commands.cursorGroupRight, commands.selectGroupRight],
    ["Home", "Cmd-ArrowLeft", commands.cursorLineBoundaryBackward, commands.selectLineBoundaryBackward],
    ["End", "Cmd-ArrowRight", commands.cursorLineBoundaryForward, commands.selectLineBoundaryForward],
    ["Ctrl-Home", "Cmd-ArrowUp", commands.cursorDocStart, commands.selectDocStart],
    ["Ctrl-End", "Cmd-ArrowDown", commands.cursorDocEnd, commands.selectDocEnd],
    ["PageUp", "Ctrl-ArrowUp", commands.cursorPageUp, commands.selectPageUp],
    ["PageDown", "Ctrl-ArrowDown", commands.cursorPageDown, commands.selectPageDown],
];

export const editorKeys: readonly KeyBinding[] = [
    ...MOVES.map(([key, mac, run, shift]) => ({ key, mac, run, shift, preventDefault: true })),
    { key: "Enter", run: commands.insertNewline, shift: commands.insertNewline },
    { key: "Mod-a", run: commands.selectAll },
    { key: "Backspace", run: commands.deleteCharBackward, shift: commands.deleteCharBackward },
    { key: "Delete", run: commands.deleteCharForward },
    { key: "Mod-Backspace", mac: "Alt-Backspace", run: commands.deleteGroupBackward },
    { key: "Mod-Delete", mac: "Alt-Delete", run: commands.deleteGroupForward },
    ...commands.historyKeymap,
];
