import { IdentityError } from '@deviceportal/identity-client';
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';

export interface AccountProblemProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/**
 * An error of the provider, which is translated by the provider. A closed window is not an error.
 */
export function AccountProblem({ error, onRetry }: AccountProblemProps): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  if (!(error instanceof IdentityError)) {
    return <ErrorView error={error} place="alert" onRetry={onRetry} />;
  }
  if (error.code === 'UPLOAD_CANCELED' || error.code === 'POPUP_CLOSED') return null;
  return (
    <Alert
      type="error"
      header={t('profile.problem.title')}
      action={
        onRetry === undefined ? null : (
          <Button onClick={onRetry}>{t('profile.problem.retry')}</Button>
        )
      }
    >
      {t('profile.problem.body', { message: error.message, code: String(error.code) })}
    </Alert>
  );
}
