import { useEffect } from 'react';
import { places } from '../../ui/navigation.ts';
import { isTyping } from '../../ui/is-typing.ts';

export interface ShortcutActions {
  readonly search: () => void;
  readonly list: () => void;
  readonly go: (href: string) => void;
  readonly refresh: () => void;
  readonly copyLink: () => void;
  readonly toggleNavigation: () => void;
  readonly toggleHelp: () => void;
}

const SEQUENCE_MS = 1_200;

/** The action of a key: its name, `go:<path>` after `g`, or undefined. */
function shortcutOf(key: string, afterG: boolean): string | undefined {
  if (afterG) {
    const place = places.find(({ letter }) => letter === key);
    return place === undefined ? undefined : `go:${place.href}`;
  }
  const actions: Readonly<Record<string, string>> = {
    '/': 'search',
    '?': 'list',
    g: 'sequence',
    r: 'refresh',
    f: 'filter',
    j: 'next-row',
    k: 'previous-row',
    x: 'select-row',
    y: 'copy-link',
    '[': 'navigation',
    h: 'help',
  };
  return actions[key];
}

/**
 * Shortcuts of the whole portal. Single letters work only outside inputs and dialogs, and can be
 * disabled.
 */
export function useShortcuts(actions: ShortcutActions, enabled: boolean): void {
  useEffect(() => {
    let gPressedAtMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        actions.search();
        return;
      }
      if (!enabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target)) return;
      const afterG = event.timeStamp - gPressedAtMs < SEQUENCE_MS;
      gPressedAtMs = Number.NEGATIVE_INFINITY;
      const shortcut = shortcutOf(event.key, afterG);
      if (shortcut === undefined) return;
      if (shortcut === 'sequence') {
        gPressedAtMs = event.timeStamp;
        return;
      }
      event.preventDefault();
      perform(shortcut, actions);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions, enabled]);
}

function perform(shortcut: string, actions: ShortcutActions): void {
  if (shortcut.startsWith('go:')) actions.go(shortcut.slice(3));
  else if (shortcut === 'search') actions.search();
  else if (shortcut === 'list') actions.list();
  else if (shortcut === 'refresh') actions.refresh();
  else if (shortcut === 'copy-link') actions.copyLink();
  else if (shortcut === 'navigation') actions.toggleNavigation();
  else if (shortcut === 'help') actions.toggleHelp();
  else if (shortcut === 'filter') focusFilter();
  else if (shortcut === 'next-row') moveRow(1);
  else if (shortcut === 'previous-row') moveRow(-1);
  else if (shortcut === 'select-row') currentRow()?.querySelector<HTMLElement>('input')?.click();
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('main .dp-filter input, main input[type=search]')?.focus();
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main table tbody tr')].filter(
    (row) => row.querySelector('a[href]') !== null,
  );
}

function currentRow(): HTMLElement | undefined {
  return rows().find((row) => row.contains(document.activeElement));
}

/** Moves the focus between the row links, so that Enter opens the row. */
function moveRow(step: number): void {
  const all = rows();
  const current = currentRow();
  const index = current === undefined ? (step > 0 ? -1 : all.length) : all.indexOf(current);
  const target = all[Math.min(all.length - 1, Math.max(0, index + step))];
  target?.querySelector<HTMLElement>('a[href]')?.focus();
}
