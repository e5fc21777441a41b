import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { CodeForm } from './code-form.tsx';
import { endStepUp } from './step-up-store.ts';

/** Confirms by a code of the authenticator app. */
export function AppForm(): ReactNode {
  const t = useT();
  const api = useApi();
  const confirm = useMutation(
    api.stepUp.confirmByApp.mutationOptions({ onSuccess: () => endStepUp('confirmed') }),
  );
  return (
    <CodeForm
      label={t('stepUp.appCode')}
      error={confirm.error}
      busy={confirm.isPending}
      onCode={(code) => confirm.mutateAsync({ code })}
    />
  );
}
