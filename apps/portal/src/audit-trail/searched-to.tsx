import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import type { ContinuedSearch } from './use-continued-search.ts';

/** Reports how far a filter without an index has searched. */
export function SearchedTo({ found }: { readonly found: ContinuedSearch<AuditEvent> }): ReactNode {
  const t = useT();
  const format = useFormat();
  if (found.searchedTo === null) return null;
  const facts = {
    time: format.absolute(Date.parse(found.searchedTo)),
    count: found.rows?.length ?? 0,
  };
  return found.isRunning ? (
    <Alert
      type="info"
      action={<Button onClick={found.stop}>{t('auditTrail.page.stopSearch')}</Button>}
    >
      <StatusIndicator type="loading">{t('auditTrail.page.searching', facts)}</StatusIndicator>
    </Alert>
  ) : (
    <Alert
      type={found.hasFailed ? 'warning' : 'info'}
      action={<Button onClick={found.resume}>{t('auditTrail.page.searchOn')}</Button>}
    >
      {t(`auditTrail.page.${found.hasFailed ? 'searchFailed' : 'searchedTo'}`, facts)}
    </Alert>
  );
}
