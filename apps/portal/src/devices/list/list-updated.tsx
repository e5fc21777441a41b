import Button from '@cloudscape-design/components/button';
import { hashKey, notifyManager, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore, type ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

export interface ListUpdatedProps {
  readonly queryKey: QueryKey;
  /** The number of rows that would move if the list were sorted again. */
  readonly moves: number;
  readonly onShow: () => void;
}

/**
 * The time of the last refresh. A separate component, so that the table does not render with it.
 */
export function ListUpdated({ queryKey, moves, onShow }: ListUpdatedProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const cache = useQueryClient().getQueryCache();
  const hash = hashKey(queryKey);
  const updatedAtMs = useSyncExternalStore(
    // Batched, because the cache also reports queries that another component creates as it renders.
    useCallback((listener) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    () => cache.get(hash)?.state.dataUpdatedAt ?? 0,
  );
  // A no-break space keeps the line, so that nothing moves when the list is loaded.
  if (updatedAtMs === 0) return '\u{a0}';
  return (
    <>
      {t('devices.list.updated', { time: format.clock(updatedAtMs) })}
      {moves === 0 ? null : (
        <>
          {' · '}
          {t('devices.list.moves', { count: moves })}{' '}
          <Button variant="inline-link" onClick={onShow}>
            {t('devices.list.showMoves')}
          </Button>
        </>
      )}
    </>
  );
}
