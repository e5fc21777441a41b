import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { AlertSeverity as Severity } from '@deviceportal/contract/alerts';
import { useT } from '../i18n/use-t.ts';

const types = { critical: 'error', warning: 'warning', info: 'info' } as const;

/** The severity of an alert or a rule. */
export function AlertSeverity({ severity }: { readonly severity: Severity }): ReactNode {
  const t = useT();
  return (
    <StatusIndicator type={types[severity]}>{t(`alerts.severity.${severity}`)}</StatusIndicator>
  );
}
