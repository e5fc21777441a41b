import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { Schedule } from '@deviceportal/contract/schedules';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { Time } from '../../ui/time/time.tsx';
import { commandHref } from '../command-href.ts';

/** The time of the last run of a schedule, or the reason why it did not run. */
export function LastStart({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const t = useT();
  const { lastAt, lastRunId, lastError, command, exceedingCount, maxDevices } = schedule;
  if (!schedule.signed) {
    return <StatusIndicator type="warning">{t('commands.schedules.unsigned')}</StatusIndicator>;
  }
  if (lastAt === null) return '-';
  if (exceedingCount !== null) {
    return (
      <StatusIndicator type="warning">
        {t('commands.schedules.grew', { devices: exceedingCount, limit: maxDevices })}{' '}
        <Time at={lastAt} />
      </StatusIndicator>
    );
  }
  if (lastError !== null) {
    return (
      <StatusIndicator type={lastError === 'missed' ? 'warning' : 'error'}>
        <LastError error={lastError} /> <Time at={lastAt} />
      </StatusIndicator>
    );
  }
  if (lastRunId === null) return <Time at={lastAt} />;
  return (
    <PortalLink href={commandHref(command, { run: lastRunId })}>
      <Time at={lastAt} />
    </PortalLink>
  );
}

function LastError({ error }: { readonly error: string }): ReactNode {
  const t = useT();
  if (error === 'missed') return t('commands.schedules.missed');
  if (error === ('authorization-mismatch' satisfies RefusalReason))
    return t('commands.schedules.changed');
  return t('commands.schedules.refused', { error });
}
