import { useEffect, useRef } from 'react';
import { usePreferences } from '../../ui/preferences-store.ts';

export interface RowKeyActions {
  /** `o`: the device of the focused row. Null without one. */
  readonly onTogglePanel: (deviceId: string | null) => void;
  /** `c` */
  readonly onCommand: (deviceId: string | null) => void;
  /** Called after `j` or `k` of the portal has moved the focus. */
  readonly onMove: (deviceId: string) => void;
}

/**
 * Single-letter shortcuts of the device list in addition to those of the portal (`j`, `k`, `x`,
 * `f`): `o` for the split panel, `c` for a command. They listen on the window and therefore after
 * the portal, which may have handled the key (`g` and a letter).
 */
export function useRowKeys(actions: RowKeyActions): void {
  const { shortcuts = true } = usePreferences();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!shortcuts) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const current = focusedDevice();
      const { onMove, onTogglePanel, onCommand } = latest.current;
      if (event.key === 'j' || event.key === 'k') {
        if (current !== null) onMove(current);
        return;
      }
      if (event.defaultPrevented || (event.key !== 'o' && event.key !== 'c')) return;
      event.preventDefault();
      if (event.key === 'o') onTogglePanel(current);
      else onCommand(current);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [shortcuts]);
}

function isBusy(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [role=dialog], [role=menu]',
    ) !== null
  );
}

function focusedDevice(): string | null {
  const row = document.activeElement?.closest('tr');
  return row?.querySelector<HTMLElement>('[data-device]')?.dataset['device'] ?? null;
}
