import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

/** When the list was last true, followed by this line alone: the table need not draw itself again for it. */
export function ListUpdated({ queryKey }: { readonly queryKey: QueryKey }): ReactNode {
  const t = useT();
  const format = useFormat();
  const cache = useQueryClient().getQueryCache();
  const hash = hashKey(queryKey);
  const updatedAtMs = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.get(hash)?.state.dataUpdatedAt ?? 0,
  );
  return updatedAtMs === 0 ? null : t('devices.list.updated', { time: format.clock(updatedAtMs) });
}
