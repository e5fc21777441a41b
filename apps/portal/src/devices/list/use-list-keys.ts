import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { RefObject } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useRowKeys } from './use-row-keys.ts';

export interface ListKeysOptions {
  readonly rows: readonly DeviceRow[] | undefined;
  readonly selected: readonly DeviceRow[];
  readonly select: (rows: readonly DeviceRow[]) => void;
  /** The device in the split panel. Empty while it is closed. */
  readonly shownId: string;
  readonly showPanel: (deviceId: string) => void;
  readonly commandMenu: RefObject<ButtonDropdownProps.Ref | null>;
}

/** Shortcuts of the device list. */
export function useListKeys(options: ListKeysOptions): void {
  const { rows, selected, select, shownId, showPanel, commandMenu } = options;
  const rowOf = (id: string | null): DeviceRow | undefined => rows?.find((row) => row.id === id);
  useRowKeys({
    onTogglePanel: (id) => {
      const wanted = id ?? selected[0]?.id ?? rows?.[0]?.id ?? '';
      showPanel(shownId === wanted ? '' : wanted);
    },
    onMove: (id) => {
      if (shownId !== '') showPanel(id);
    },
    onCommand: (id) => {
      const row = rowOf(id);
      if (selected.length === 0 && row !== undefined) select([row]);
      // The menu is enabled only in the render after the selection.
      setTimeout(() => commandMenu.current?.focus(), 0);
    },
  });
}
