import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { OtherSignIn } from '../session/authing/other-sign-in.ts';
import type { SignInMethod } from '../session/sign-in-methods.ts';
import type { AcceptedUser } from './sign-in-flow.ts';

export interface ProviderButtonsProps {
  readonly methods: readonly SignInMethod[];
  readonly other: OtherSignIn;
  readonly onChosen: () => void;
  readonly onUser: (user: AcceptedUser) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/** A button for each provider. While a window is open, a button to cancel. */
export function ProviderButtons(props: ProviderButtonsProps): ReactNode {
  const { methods } = props;
  const t = useT();
  const { waiting, signIn, cancel } = useProviderSignIn(props);
  if (waiting !== null) {
    return (
      <p className="si-text" role="status">
        {t('signIn.others.waiting', { name: waiting.name })}{' '}
        <button type="button" className="si-link" onClick={cancel}>
          {t('signIn.others.cancel')}
        </button>
      </p>
    );
  }
  return methods.map((method) => (
    <button
      key={`${method.kind} ${method.identifier}`}
      type="button"
      className="si-secondary"
      onClick={() => void signIn(method)}
    >
      {t('signIn.others.with', { name: method.name })}
    </button>
  ));
}

/** Allows one sign-in at a time. Leaving the page aborts it. */
function useProviderSignIn({ other, onChosen, onUser, onFailed }: ProviderButtonsProps) {
  const [waiting, setWaiting] = useState<SignInMethod | null>(null);
  const wait = useRef(new AbortController());
  useEffect(() => () => wait.current.abort(), []);
  return {
    waiting,
    signIn: async (method: SignInMethod): Promise<void> => {
      wait.current.abort();
      wait.current = new AbortController();
      const { signal } = wait.current;
      onChosen();
      setWaiting(method);
      try {
        const user = await other.byProvider(method, signal);
        if (user !== null) await onUser(user);
      } catch (error) {
        if (!signal.aborted) onFailed(error);
      }
      if (!signal.aborted) setWaiting(null);
    },
    cancel: (): void => {
      wait.current.abort();
      setWaiting(null);
    },
  };
}
