import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { ButtonProps } from '@cloudscape-design/components/button';
import type { CodeChannel } from '@deviceportal/contract/step-up';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useNow } from '../sign-in/use-now.ts';
import { localMs } from '../ui/time/server-clock.ts';
import { CodeForm } from './code-form.tsx';
import { endStepUp } from './step-up-store.ts';

export interface SentCodeFormProps {
  readonly channel: CodeChannel;
  /** Masked. */
  readonly destination: string;
}

/** Sends a code by email or text message, and confirms by it. */
export function SentCodeForm({ channel, destination }: SentCodeFormProps): ReactNode {
  const t = useT();
  const api = useApi();
  const nowMs = useNow();
  const send = useMutation(api.stepUp.sendCode.mutationOptions());
  const confirm = useMutation(
    api.stepUp.confirmByCode.mutationOptions({ onSuccess: () => endStepUp('confirmed') }),
  );
  const start = useRef<ButtonProps.Ref>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => start.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const sendCode = (): void => {
    confirm.reset();
    send.mutate({ channel });
  };
  const problem = send.error === null ? null : <ErrorView error={send.error} place="inline" />;
  if (send.data === undefined) {
    return (
      <SpaceBetween size="s">
        <Button ref={start} variant="primary" loading={send.isPending} onClick={sendCode}>
          {t(`stepUp.send.${channel}`, { destination })}
        </Button>
        {problem}
      </SpaceBetween>
    );
  }
  const againAtMs = localMs(Date.parse(send.data.resendAfter));
  const seconds = Math.max(0, Math.ceil((againAtMs - nowMs) / 1_000));
  return (
    <SpaceBetween size="s">
      <CodeForm
        label={t('stepUp.code')}
        description={t('stepUp.sent', { destination: send.data.destination })}
        error={confirm.error}
        busy={confirm.isPending}
        onCode={(code) => confirm.mutateAsync({ channel, code })}
        actions={
          <Button disabled={seconds > 0} loading={send.isPending} onClick={sendCode}>
            {seconds > 0 ? t('stepUp.resendIn', { seconds }) : t('stepUp.resend')}
          </Button>
        }
      />
      {problem}
    </SpaceBetween>
  );
}
