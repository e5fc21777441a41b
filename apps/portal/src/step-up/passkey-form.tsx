import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { endStepUp } from './step-up-store.ts';

/** Confirms by a passkey. The browser shows its own dialog. */
export function PasskeyForm(): ReactNode {
  const t = useT();
  const api = useApi();
  const begin = useMutation(api.stepUp.beginPasskey.mutationOptions());
  const confirm = useMutation(
    api.stepUp.confirmByPasskey.mutationOptions({ onSuccess: () => endStepUp('confirmed') }),
  );
  const [isCanceled, setCanceled] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const start = useRef<ButtonProps.Ref>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => start.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const ask = async (): Promise<void> => {
    setCanceled(false);
    confirm.reset();
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const { options, binding } = await begin.mutateAsync();
    const signed = await startAuthentication({ optionsJSON: options }).catch(() => undefined);
    // The browser does not tell whether the user canceled, or has no such passkey here.
    if (signed === undefined) setCanceled(true);
    else await confirm.mutateAsync({ credential: { ...signed }, binding });
  };
  const use = async (): Promise<void> => {
    setAsking(true);
    // Shown below, by its mutation.
    await ask().catch(() => undefined);
    setAsking(false);
  };
  const error = begin.error ?? confirm.error;
  return (
    <SpaceBetween size="s">
      <Button ref={start} variant="primary" loading={isAsking} onClick={() => void use()}>
        {t('stepUp.usePasskey')}
      </Button>
      {error === null ? null : <ErrorView error={error} place="inline" />}
      {isCanceled ? <span role="alert">{t('stepUp.passkeyCanceled')}</span> : null}
    </SpaceBetween>
  );
}
