import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { loadAllWords } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { loadConfig } from '../session/load-config.ts';
import { addFlash } from '../ui/flash-store.ts';
import { signInDone, useSignInAsked } from '../session/sign-in-request.ts';
import { signOutEverywhere } from '../session/sign-out.ts';
import { useViewerName } from '../session/viewer-name.ts';

const SignInForm = lazy(async () => {
  const [module] = await Promise.all([import('../sign-in/sign-in-form.tsx'), loadAllWords()]);
  return { default: module.SignInForm };
});

/**
 * Error 2001: a dialog over the page lets the user sign in again. The page keeps its state, and
 * queries are retried.
 */
export function SignInAgain(): ReactNode {
  const t = useT();
  const asked = useSignInAsked();
  const queryClient = useQueryClient();
  const username = useViewerName();
  const config = useQuery({ queryKey: ['browser-config'], queryFn: loadConfig, enabled: asked });
  if (!asked || config.data === undefined) return null;
  const done = (): void => {
    signInDone();
    addFlash({
      type: 'success',
      header: t('app.signInAgain.done'),
      content: t('app.signInAgain.repeat'),
    });
    void queryClient.invalidateQueries();
  };
  return (
    <Modal
      visible
      header={t('app.signInAgain.title')}
      closeAriaLabel={t('app.top.signOut')}
      onDismiss={() => void signOutEverywhere()}
    >
      <SpaceBetween size="m">
        <p>{t('app.signInAgain.body')}</p>
        <Suspense fallback={null}>
          <SignInForm config={config.data} identifier={username} onSignedIn={done} />
        </Suspense>
      </SpaceBetween>
    </Modal>
  );
}
