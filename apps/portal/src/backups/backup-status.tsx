import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { BackupsView } from '@deviceportal/contract/backups';
import { GuideLink } from '../help/guide-link.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue, type KeyValueItem } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';

/** How old the newest backup is, how far the installation can be restored, and what comes next. */
export function BackupStatus({ of }: { readonly of: BackupsView }): ReactNode {
  const t = useT();
  return (
    <Container header={<Header variant="h2">{t('backups.section.status')}</Header>}>
      <KeyValue
        columns={3}
        hasLongValues
        items={[...useResultItems(of), ...useScheduleItems(of)]}
      />
    </Container>
  );
}

function useResultItems(of: BackupsView): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  const { last } = of;
  return [
    { label: t('backups.field.state'), value: <BackupState of={of} /> },
    {
      label: t('backups.field.last'),
      value: <Time at={last?.at} style="exact" />,
    },
    { label: t('backups.field.size'), value: last === null ? null : format.bytes(last.bytes) },
    {
      label: t('backups.field.duration'),
      value: last?.durationMs == null ? null : format.duration(last.durationMs),
    },
    { label: t('backups.field.restorable'), value: <Restorable of={of} /> },
    {
      label: t('backups.field.tried'),
      value: <Time at={of.triedAt} style="exact" none={<NeverTried />} />,
    },
  ];
}

function useScheduleItems(of: BackupsView): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  const every = format.duration(of.everyMs);
  const changes = format.duration(of.changesEveryMs);
  return [
    {
      label: t('backups.field.next'),
      value: <Time at={of.nextAt} style="exact" none={t('backups.next.now')} />,
    },
    {
      label: t('backups.field.schedule'),
      value: t(`backups.schedule.${of.database}`, { every, changes }),
    },
    { label: t('backups.field.kept'), value: t('backups.kept.days', { count: of.keptDays }) },
    {
      label: t('backups.field.place'),
      value: (
        <span lang="en" className="dp-backup-text">
          {of.place}
        </span>
      ),
    },
  ];
}

function BackupState({ of }: { readonly of: BackupsView }): ReactNode {
  const t = useT();
  if (of.runningSince !== null) {
    return (
      <StatusIndicator type="in-progress">
        {t('backups.state.running')} · <Time at={of.runningSince} />
      </StatusIndicator>
    );
  }
  if (of.problem !== null) {
    return <StatusIndicator type="error">{t('backups.state.failing')}</StatusIndicator>;
  }
  if (of.requestedAt !== null || of.last === null) {
    return <StatusIndicator type="pending">{t('backups.state.requested')}</StatusIndicator>;
  }
  return <StatusIndicator type="success">{t('backups.state.working')}</StatusIndicator>;
}

function Restorable({ of: { database, restorable } }: { readonly of: BackupsView }): ReactNode {
  const t = useT();
  if (database === 'external') return t('backups.restorable.external');
  if (restorable === null) return t('backups.restorable.none');
  return (
    <>
      <Time at={restorable.from} style="absolute" /> – <Time at={restorable.until} style="exact" />
    </>
  );
}

function NeverTried(): ReactNode {
  const t = useT();
  return (
    <>
      {t('backups.tried.never')} <GuideLink name="backups" />
    </>
  );
}
