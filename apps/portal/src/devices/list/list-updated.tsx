import Button from '@cloudscape-design/components/button';
import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

export interface ListUpdatedProps {
  readonly queryKey: QueryKey;
  /** Rows that would move if the list were put in order again. */
  readonly moves: number;
  readonly onShow: () => void;
}

/** When the list was last true, followed by this line alone: the table need not draw itself again for it. */
export function ListUpdated({ queryKey, moves, onShow }: ListUpdatedProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const cache = useQueryClient().getQueryCache();
  const hash = hashKey(queryKey);
  const updatedAtMs = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.get(hash)?.state.dataUpdatedAt ?? 0,
  );
  if (updatedAtMs === 0) return null;
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
