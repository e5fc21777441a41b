import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { openOtherSignIn } from './authing/other-sign-in.ts';
import type { SecondStepNeeded } from './second-step.ts';
import { acceptUser } from './sign-in-flow.ts';

const DIGITS = 6;

export interface SecondStepFormProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
  readonly step: SecondStepNeeded;
  readonly onSignedIn: () => void;
  readonly onRestart: () => void;
}

/** The number of the authenticator app, or the recovery code. */
export function SecondStepForm(props: SecondStepFormProps): ReactNode {
  const { provider, step, onSignedIn, onRestart } = props;
  const t = useT();
  const language = useLanguage();
  const [byRecovery, setByRecovery] = useState(false);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [byRecovery]);

  const submit = async (value: string): Promise<void> => {
    if (busy || value === '') return;
    setBusy(true);
    setProblem('');
    try {
      const other = openOtherSignIn(provider, language);
      await acceptUser(
        byRecovery
          ? await other.verifyRecoveryCode(step.mfaToken, value)
          : await other.verifyTotp(step.mfaToken, value),
      );
      onSignedIn();
    } catch (error) {
      setText('');
      setBusy(false);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const change = (typed: string): void => {
    if (byRecovery) {
      setText(typed.trim().slice(0, 128));
      return;
    }
    const digits = typed.replaceAll(/\D/g, '').slice(0, DIGITS);
    setText(digits);
    if (digits.length === DIGITS) void submit(digits);
  };
  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(text);
      }}
    >
      <p className="si-text">{t('session.second.title')}</p>
      <div className="si-field">
        <label htmlFor="second-step">
          {t(byRecovery ? 'session.second.recovery' : 'session.second.number')}
        </label>
        <input
          id="second-step"
          ref={field}
          value={text}
          inputMode={byRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          readOnly={busy}
          aria-invalid={problem !== ''}
          aria-describedby="second-step-problem"
          onChange={(event) => change(event.target.value)}
        />
        <p id="second-step-problem" className="si-error" role="alert">
          {problem}
        </p>
      </div>
      <button className="si-primary" type="submit" aria-busy={busy} disabled={text === ''}>
        {t(busy ? 'session.code.checking' : 'session.code.signIn')}
      </button>
      <div className="si-row">
        <button
          type="button"
          className="si-link"
          onClick={() => {
            setText('');
            setProblem('');
            setByRecovery(!byRecovery);
          }}
        >
          {t(byRecovery ? 'session.second.useNumber' : 'session.second.useRecovery')}
        </button>
        <button type="button" className="si-link" onClick={onRestart}>
          {t('session.code.change')}
        </button>
      </div>
    </form>
  );
}
