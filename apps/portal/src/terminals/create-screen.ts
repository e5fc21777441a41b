import { FitAddon } from '@xterm/addon-fit';
import { Terminal, type IBufferLine, type ITheme } from '@xterm/xterm';
import { AdoptedStyles } from './adopted-styles.ts';
import '@xterm/xterm/css/xterm.css';

export interface ScreenOptions {
  readonly element: HTMLElement;
  readonly label: string;
  readonly isDark: boolean;
  /** Without it, the size follows the element. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Without it, nothing can be typed. */
  readonly onInput?: (text: string) => void;
  readonly onResize?: (columns: number, rows: number) => void;
  /** Called by the key that leaves the terminal. */
  readonly onLeave?: () => void;
}

export interface Screen extends Disposable {
  readonly columns: number;
  readonly rows: number;
  readonly write: (data: string | Uint8Array, done?: () => void) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly reset: () => void;
  readonly focus: () => void;
  /** Selects the last place where a text is shown, and scrolls to it. */
  readonly highlight: (text: string) => void;
}

const dark: ITheme = {
  background: '#0f141a',
  foreground: '#dedee3',
  cursor: '#dedee3',
  selectionBackground: '#3a4b63',
};
const light: ITheme = {
  background: '#ffffff',
  foreground: '#16191f',
  cursor: '#16191f',
  selectionBackground: '#b8d4f5',
  black: '#16191f',
  red: '#b0200e',
  green: '#1a6b2d',
  yellow: '#7a5a00',
  blue: '#0b5bb5',
  magenta: '#8a2a86',
  cyan: '#0f6a72',
  white: '#5f6b7a',
  brightBlack: '#5f6b7a',
  brightRed: '#b0200e',
  brightGreen: '#1a6b2d',
  brightYellow: '#7a5a00',
  brightBlue: '#0b5bb5',
  brightMagenta: '#8a2a86',
  brightCyan: '#0f6a72',
  brightWhite: '#16191f',
};

const SCROLLBACK_LINES = 5_000;

/** A screen of xterm.js in the element. */
export function createScreen(options: ScreenOptions): Screen {
  const { element, label, isDark, size, onInput, onResize, onLeave } = options;
  const styles = new AdoptedStyles();
  const terminal = new Terminal({
    ...(size && { cols: size.columns, rows: size.rows }),
    theme: isDark ? dark : light,
    fontFamily: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'Liberation Mono', monospace",
    fontSize: 14,
    scrollback: SCROLLBACK_LINES,
    disableStdin: onInput === undefined,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    screenReaderMode: false,
  });
  styles.during(() => terminal.open(element));
  terminal.textarea?.setAttribute('aria-label', label);
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  if (onInput) terminal.onData(onInput);
  if (onResize) terminal.onResize(({ cols, rows }) => onResize(cols, rows));
  terminal.attachCustomKeyEventHandler((event) => handleKey(event, terminal, onLeave));
  const watcher = new ResizeObserver(() => fit.fit());
  if (size === undefined) {
    fit.fit();
    watcher.observe(element);
  }
  return {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write: (data, done) => terminal.write(data, done),
    resize: (columns, rows) => terminal.resize(columns, rows),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    highlight: (text) => highlight(terminal, text.toLowerCase()),
    [Symbol.dispose]() {
      watcher.disconnect();
      terminal.dispose();
      styles[Symbol.dispose]();
    },
  };
}

function highlight(terminal: Terminal, text: string): void {
  terminal.clearSelection();
  const buffer = terminal.buffer.active;
  for (let row = buffer.length - 1; row >= 0; row -= 1) {
    const line = buffer.getLine(row);
    const shown = line?.translateToString(true).toLowerCase() ?? '';
    const index = shown.lastIndexOf(text);
    if (line === undefined || index < 0) continue;
    const column = columnAt(line, index);
    terminal.select(column, row, columnAt(line, index + text.length) - column);
    terminal.scrollToLine(Math.max(0, row - Math.floor(terminal.rows / 2)));
    return;
  }
}

/** The column of a character of a line, of which some take two columns. */
function columnAt(line: IBufferLine, index: number): number {
  let characters = 0;
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    if (cell?.getWidth() === 0) continue;
    if (characters >= index) return column;
    characters += cell?.getChars().length || 1;
  }
  return line.length;
}

/** @returns whether the terminal handles the key */
function handleKey(
  event: KeyboardEvent,
  terminal: Terminal,
  onLeave: (() => void) | undefined,
): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true;
  if (event.code === 'Escape' && onLeave) {
    event.preventDefault();
    onLeave();
    return false;
  }
  if (event.code === 'KeyC' && terminal.hasSelection()) {
    event.preventDefault();
    void navigator.clipboard.writeText(terminal.getSelection());
    return false;
  }
  if (event.code === 'KeyV') {
    event.preventDefault();
    void navigator.clipboard.readText().then((text) => terminal.paste(text));
    return false;
  }
  return true;
}
