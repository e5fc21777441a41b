import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface ColdNotesProps {
  readonly searching: boolean;
  readonly reading: boolean;
  /** The newest event of cold storage in the period; null where it has none, or more recent ones come first. */
  readonly until: string | null;
  /** Months whose file is gone. */
  readonly gaps: readonly string[];
  readonly onSearch: (cold: boolean) => void;
}

/** The way into cold storage and back, and what is missing there. */
export function ColdNotes({
  searching,
  reading,
  until,
  gaps,
  onSearch,
}: ColdNotesProps): ReactNode {
  const t = useT();
  const format = useFormat();
  if (!searching) {
    if (until === null) return null;
    return (
      <Alert
        type="info"
        action={<Button onClick={() => onSearch(true)}>{t('auditTrail.cold.search')}</Button>}
      >
        {t('auditTrail.cold.offer', { time: format.absolute(Date.parse(until)) })}
      </Alert>
    );
  }
  const back = (
    <Button onClick={() => onSearch(false)}>
      {t(reading ? 'app.cancel' : 'auditTrail.cold.back')}
    </Button>
  );
  return (
    <SpaceBetween size="s">
      <Alert type="info" action={back}>
        {reading ? (
          <StatusIndicator type="loading">{t('auditTrail.cold.reading')}</StatusIndicator>
        ) : (
          t('auditTrail.cold.shown')
        )}
      </Alert>
      {gaps.length === 0 ? null : (
        <Alert type="warning">{t('auditTrail.cold.gaps', { months: format.list(gaps) })}</Alert>
      )}
    </SpaceBetween>
  );
}
