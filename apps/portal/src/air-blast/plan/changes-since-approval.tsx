import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { Time } from '../../ui/time/time.tsx';
import { EffectChangeList } from './effect-change-list.tsx';

/** Differences between the plan approved earlier and the current plan. */
export function ChangesSinceApproval({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const since = run.changesSinceApproval;
  if (since === null) return null;
  const { added, removed } = since;
  return (
    <Alert type="warning" header={t('airBlast.changedSince', { by: since.by })}>
      <SpaceBetween size="xs">
        <Time at={since.at} style="absolute" />
        <EffectChangeList changes={since.changes} />
        {added === 0 ? null : (
          <span>
            {t('airBlast.devicesAdded', { count: added })} {format.list([...since.addedDevices])}
          </span>
        )}
        {removed === 0 ? null : (
          <span>
            {t('airBlast.devicesRemoved', { count: removed })}{' '}
            {format.list([...since.removedDevices])}
          </span>
        )}
      </SpaceBetween>
    </Alert>
  );
}
