import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useNeighbors } from './use-neighbors.ts';

/** Links to the previous and next device of the list from which this one was opened. */
export function DeviceNeighbors({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { trail, around, has, go, isLoading } = useNeighbors(deviceId);
  if (trail === undefined || around === undefined) return null;
  const { position } = around;
  const total = trail.total === null ? 'none' : format.number(trail.total);
  return (
    <div className="dp-pages" role="group" aria-label={t('devices.neighbors.label')}>
      <Button
        variant="icon"
        iconName="angle-left"
        ariaLabel={t('devices.neighbors.previous')}
        disabled={!has.previous || isLoading}
        onClick={() => go('previous')}
      />
      {position === null ? null : (
        <span className="dp-number">
          {t('devices.neighbors.position', { position: format.number(position), total })}
        </span>
      )}
      <Button
        variant="icon"
        iconName="angle-right"
        ariaLabel={t('devices.neighbors.next')}
        disabled={!has.next || isLoading}
        onClick={() => go('next')}
      />
    </div>
  );
}
