import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { TargetReach } from './target-reach.tsx';
import { LockHolderRuns } from '../queued-behind-alert.tsx';
import { sampleWords } from '../form/sample-words.ts';

export interface ShownDevicesProps {
  readonly preview: TargetPreview;
  /** The stored list that the devices come from. */
  readonly listId: string | null;
}

/**
 * The target of a command: the number of devices, some of their names, and the excluded ones with
 * reasons.
 */
export function ShownDevices({ preview, listId }: ShownDevicesProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const offline = preview.count - preview.online;
  const sample = preview.sample.map((device) => device.serialNumber ?? device.name);
  return (
    <SpaceBetween size="s">
      <Box>
        <Box variant="strong">{t('commands.target.count', { count: preview.count })}</Box>
        {' · '}
        <Box variant="span" color="text-body-secondary">
          {t('commands.target.online', { online: preview.online, offline })}
        </Box>
      </Box>
      {preview.count === 0 ? null : <TargetReach preview={preview} />}
      {sample.length === 0 ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          {sampleWords(sample, preview.count, { t, format })}
        </Box>
      )}
      {preview.count === 0 ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          {t('commands.target.sha256')} <code className="dp-command-sha256">{preview.sha256}</code>
        </Box>
      )}
      <MissingSerialNumbers listId={listId} />
      {preview.count === 0 ? <Alert type="warning">{t('commands.target.nobody')}</Alert> : null}
      {preview.excluded.length === 0 ? null : (
        <Alert type="info" header={t('commands.target.excluded')}>
          <ul className="dp-command-list">
            {preview.excluded.map(({ reason, count }) => (
              <li key={reason}>
                {t(`commands.excluded.${reason}`, { count })}
                {reason === 'needs-agent' ? <Obstacles preview={preview} /> : null}
              </li>
            ))}
          </ul>
          {preview.busy.length === 0 ? null : <LockHolderRuns runs={preview.busy} />}
        </Alert>
      )}
    </SpaceBetween>
  );
}

/** Why AWS Systems Manager cannot run the document. */
function Obstacles({ preview }: Pick<ShownDevicesProps, 'preview'>): ReactNode {
  const t = useT();
  return (
    <ul className="dp-command-list">
      {preview.runCommandObstacles.map((obstacle) => (
        <li key={obstacle}>{t(`commands.obstacle.${obstacle}`)}</li>
      ))}
    </ul>
  );
}

/** Serial numbers of a stored list without a device. */
function MissingSerialNumbers({ listId }: { readonly listId: string | null }): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const list = useQuery(
    api.devices.getTargetList.queryOptions({ id: listId ?? '' }, { enabled: listId !== null }),
  );
  if (list.data === undefined || list.data.missingCount === 0) return null;
  return (
    <Alert type="warning">
      {t('commands.target.missing', { count: list.data.missingCount })}{' '}
      {format.list(list.data.missing.slice(0, 20))}
    </Alert>
  );
}
