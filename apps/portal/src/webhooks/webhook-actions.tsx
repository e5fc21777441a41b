import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookDetail } from '@deviceportal/contract/webhooks';
import { sendErrorWords } from '../alerts/send-error-words.ts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import type { OpenWebhookDialog } from './webhook-dialogs.tsx';

/** Tests, pauses, resumes, and changes a webhook. Only its owner can do more than pause and delete it. */
export function WebhookActions({
  webhook,
  onOpen,
  onDone,
}: {
  readonly webhook: WebhookDetail;
  readonly onOpen: (dialog: OpenWebhookDialog) => void;
  readonly onDone: (words?: string) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const { id, name, isOwn, pausedBecause } = webhook;
  const isPaused = pausedBecause !== null;
  const test = useMutation(api.webhooks.test.mutationOptions({ onError: showError }));
  const pause = useMutation(
    api.webhooks.pause.mutationOptions({
      onSuccess: () => onDone(t('webhooks.pausedDone', { name })),
      onError: showError,
    }),
  );
  const resume = useMutation(
    api.webhooks.resume.mutationOptions({
      onSuccess: () => onDone(t('webhooks.resumed', { name })),
      onError: showError,
    }),
  );
  const reason = isOwn ? undefined : t('webhooks.notOwn');
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <span role="status">
        {test.data === undefined || test.isPending ? null : (
          <StatusIndicator type={test.data.ok ? 'success' : 'error'}>
            {test.data.error === null
              ? t('webhooks.testAccepted', { ms: test.data.durationMs })
              : sendErrorWords(test.data.error, t)}
          </StatusIndicator>
        )}
      </span>
      <ButtonDropdown
        expandToViewport
        items={[
          { id: 'edit', text: t('webhooks.edit'), ...disabledProps(reason) },
          { id: 'rotate', text: t('webhooks.rotate'), ...disabledProps(reason) },
          { id: 'delete', text: t('webhooks.delete') },
        ]}
        onItemClick={({ detail }) =>
          onOpen({ act: detail.id as 'edit' | 'rotate' | 'delete', webhook })
        }
      >
        {t('webhooks.actions')}
      </ButtonDropdown>
      <Button
        loading={test.isPending}
        onClick={() => test.mutate({ id })}
        {...disabledProps(reason)}
      >
        {t('webhooks.test')}
      </Button>
      {isPaused ? (
        <Button
          variant="primary"
          loading={resume.isPending}
          onClick={() => resume.mutate({ id })}
          {...disabledProps(reason)}
        >
          {t('webhooks.resume')}
        </Button>
      ) : (
        <Button loading={pause.isPending} onClick={() => pause.mutate({ id })}>
          {t('webhooks.pause')}
        </Button>
      )}
    </SpaceBetween>
  );
}
