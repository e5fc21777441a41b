import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertDestinationRow } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { sendErrorWords } from './send-error-words.ts';

/** Sends a test message, and shows what came of it. */
export function TestDestination({
  destination: { id, kind, label },
}: {
  readonly destination: AlertDestinationRow;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const test = useMutation(api.alerts.testDestination.mutationOptions({ onError: showError }));
  const { data } = test;
  const name = t(`alerts.destination.${kind}`);
  return (
    <>
      <Button
        variant="inline-link"
        loading={test.isPending}
        ariaLabel={t('alerts.test.of', { kind: name, label })}
        onClick={() => test.mutate({ destinationId: id })}
      >
        {t('alerts.test.send')}
      </Button>
      <span role="status">
        {data === undefined || test.isPending ? null : (
          <StatusIndicator type={data.ok ? 'success' : 'error'}>
            {data.error === null
              ? t(kind === 'email' ? 'alerts.test.queued' : 'alerts.test.accepted')
              : sendErrorWords(data.error, t)}
          </StatusIndicator>
        )}
      </span>
    </>
  );
}
