import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { BackupsView } from '@deviceportal/contract/backups';
import { useT } from '../i18n/use-t.ts';
import { Time } from '../ui/time/time.tsx';

export interface BackupProblemProps {
  readonly of: NonNullable<BackupsView['problem']>;
}

/** What is wrong with the backups, since when, and what to do. */
export function BackupProblem({ of }: BackupProblemProps): ReactNode {
  const t = useT();
  const { kind, since, fault } = of;
  return (
    <Alert type="error" header={t(`backups.problem.${kind}`)}>
      {since === null ? null : (
        <div>
          {t('backups.problem.since')} <Time at={since} style="exact" />
        </div>
      )}
      <div>{t(`backups.next.${fault?.reason ?? 'none'}`)}</div>
      {fault === null ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          <span lang="en" className="dp-backup-text">
            {fault.text}
          </span>
        </Box>
      )}
    </Alert>
  );
}
