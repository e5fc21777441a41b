import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface ArchiveNotesProps {
  readonly searching: boolean;
  readonly reading: boolean;
  /** The newest archived event of the time range; null if there is none, or if later pages come first. */
  readonly until: string | null;
  /** Months whose archive file is missing. */
  readonly gaps: readonly string[];
  readonly onSearch: (archive: boolean) => void;
}

/** Offers to search the archive and to return to recent events, and names missing months. */
export function ArchiveNotes({
  searching,
  reading,
  until,
  gaps,
  onSearch,
}: ArchiveNotesProps): ReactNode {
  const t = useT();
  const format = useFormat();
  if (!searching) {
    if (until === null) return null;
    return (
      <Alert
        type="info"
        action={<Button onClick={() => onSearch(true)}>{t('auditTrail.archive.search')}</Button>}
      >
        {t('auditTrail.archive.offer', { time: format.absolute(Date.parse(until)) })}
      </Alert>
    );
  }
  const back = (
    <Button onClick={() => onSearch(false)}>
      {t(reading ? 'app.cancel' : 'auditTrail.archive.back')}
    </Button>
  );
  return (
    <SpaceBetween size="s">
      <Alert type="info" action={back}>
        {reading ? (
          <StatusIndicator type="loading">{t('auditTrail.archive.reading')}</StatusIndicator>
        ) : (
          t('auditTrail.archive.shown')
        )}
      </Alert>
      {gaps.length === 0 ? null : (
        <Alert type="warning">{t('auditTrail.archive.gaps', { months: format.list(gaps) })}</Alert>
      )}
    </SpaceBetween>
  );
}
