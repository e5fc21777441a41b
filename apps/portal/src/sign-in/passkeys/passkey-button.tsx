import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { SignInError } from '../../session/sign-in-error.ts';
import { problemNow } from '../sign-in-problem.ts';
import { signInWithPasskey } from '../sign-in-flow.ts';
import { autofillPasskeys } from './passkey-autofill.ts';
import '../other-methods.css';

export interface PasskeyButtonProps {
  readonly onSignedIn: () => void;
  /** The browser asks for the passkey, so the portal can start to load. */
  readonly onStarted: (() => void) | undefined;
}

/** Errors of the library when the user closes the browser’s dialog. */
const CANCELED = new Set(['PasskeyAuthenticationCanceled', 'PasskeyOperationAborted']);

/** Signs in with a passkey in place of a code: by a button, or chosen in the field for the username. */
export function PasskeyButton({ onSignedIn, onStarted }: PasskeyButtonProps): ReactNode {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const describe = (error: unknown): string => {
    if (error instanceof Error && CANCELED.has(error.name)) return '';
    const isRefused = error instanceof SignInError && error.name === 'loginUserNotAuthorized';
    if (isRefused) return t('signIn.passkey.refused');
    const { kind, service = '' } = problemNow(error, 'identifier');
    const values = { name: service, identifier: '' };
    return `${t(`signIn.problem.${kind}.title`, values)} ${t(`signIn.problem.${kind}.next`, values)}`;
  };
  const run = async (signIn: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem('');
    onStarted?.();
    try {
      await signIn();
      onSignedIn();
    } catch (error) {
      setProblem(describe(error));
      setBusy(false);
    }
  };
  const onChosen = useEffectEvent((signIn: () => Promise<void>) => void run(signIn));
  useEffect(() => {
    // The browser handles one request at a time: the button takes precedence, and after a failure, passkeys are offered again.
    if (busy) return undefined;
    const stop = new AbortController();
    autofillPasskeys({ signal: stop.signal, onChosen }).catch(() => undefined);
    return () => stop.abort();
  }, [busy]);
  return (
    <div className="si-form">
      <button
        type="button"
        className="si-secondary"
        disabled={busy}
        aria-busy={busy}
        onClick={() => void run(signInWithPasskey)}
      >
        {t(busy ? 'signIn.passkey.waiting' : 'signIn.passkey.signIn')}
      </button>
      <p className="si-error" role="alert">
        {problem}
      </p>
    </div>
  );
}
