import { useEffect, useRef } from 'react';
import { usePreferences } from '../../ui/preferences-store.ts';

export interface RowKeyActions {
  /** `o`: the device at the focused row, null without one. */
  readonly onTogglePanel: (deviceId: string | null) => void;
  /** `c` */
  readonly onCommand: (deviceId: string | null) => void;
  /** After the shell's `j` or `k` has moved the focus. */
  readonly onMove: (deviceId: string) => void;
}

/**
 * The device list's own one-letter keys beside those of the shell (`j`, `k`, `x`, `f`): `o` split panel, `c` command.
 * They listen on the window and so after the shell, which may have used the key already (`g` and a letter).
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
