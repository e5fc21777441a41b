import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { WebhookRow } from '@deviceportal/contract/webhooks';
import { useT } from '../i18n/use-t.ts';

/** Whether a webhook sends, and what was not delivered. */
export function WebhookState({
  webhook: { pausedBecause, failed, waiting },
}: {
  readonly webhook: WebhookRow;
}): ReactNode {
  const t = useT();
  if (pausedBecause !== null) {
    return (
      <StatusIndicator type={pausedBecause === 'paused' ? 'stopped' : 'error'}>
        {t(`webhooks.paused.${pausedBecause}`)}
      </StatusIndicator>
    );
  }
  if (failed > 0) {
    return (
      <StatusIndicator type="warning">{t('webhooks.failed', { count: failed })}</StatusIndicator>
    );
  }
  if (waiting > 0) {
    return (
      <StatusIndicator type="in-progress">
        {t('webhooks.waiting', { count: waiting })}
      </StatusIndicator>
    );
  }
  return <StatusIndicator type="success">{t('webhooks.active')}</StatusIndicator>;
}
