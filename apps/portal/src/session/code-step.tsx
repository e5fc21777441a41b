import { useEffect, useRef, useState, type ReactNode } from 'react';
import { PortalError } from '@deviceportal/contract/errors';
import { formatClock } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import type { Challenge } from './challenge.ts';
import { codeDigits } from './identifier-input.ts';
import { answerCode, sendCodeAgain } from './sign-in-flow.ts';
import { signInProblem, type SignInProblem } from './sign-in-problem.tsx';
import { useNow } from './use-now.ts';

export interface CodeStepProps {
  readonly challenge: Challenge;
  readonly onChallenge: (challenge: Challenge) => void;
  readonly onSignedIn: () => void;
  /** Back to the first step, with what made it necessary. */
  readonly onRestart: (problem: SignInProblem | null) => void;
}

/** Step 2: the code. One field, sent by itself once for each complete value. */
export function CodeStep({
  challenge,
  onChallenge,
  onSignedIn,
  onRestart,
}: CodeStepProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const nowMs = useNow(true);
  const input = useRef<HTMLInputElement>(null);
  const tried = useRef('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [notice, setNotice] = useState('');
  const expired = nowMs >= challenge.expiresAtMs;
  const resendInSeconds = Math.max(0, Math.ceil((challenge.resendAfterMs - nowMs) / 1_000));
  const length = challenge.codeLength;

  useEffect(() => {
    if (!expired) input.current?.focus();
  }, [challenge, expired]);

  const fail = (cause: unknown): void => {
    const problem = signInProblem(cause, t, { identifier: challenge.identifier, answering: true });
    const isOver = cause instanceof PortalError && (cause.code === 3002 || cause.code === 3003);
    if (isOver) onRestart(problem);
    else setError(problem.text);
  };

  const submit = async (value: string): Promise<void> => {
    if (value.length !== length || busy || expired) return;
    tried.current = value;
    setBusy(true);
    setError(null);
    try {
      const answer = await answerCode(challenge, value);
      if (answer.done) {
        onSignedIn();
        return;
      }
      setCode('');
      tried.current = '';
      setError(wrongCode(answer.challenge));
      onChallenge(answer.challenge);
    } catch (cause) {
      fail(cause);
    }
    setBusy(false);
  };

  const wrongCode = ({ attemptsLeft }: Challenge): string =>
    attemptsLeft === null
      ? t('session.code.wrong')
      : t('session.code.wrongWithAttempts', { count: attemptsLeft });

  const change = (text: string): void => {
    const digits = codeDigits(text, length);
    setCode(digits);
    setError(null);
    if (digits.length === length && digits !== tried.current) void submit(digits);
  };

  const resend = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onChallenge(await sendCodeAgain(challenge));
      setCode('');
      tried.current = '';
      setNotice(t('session.code.sentAgain'));
    } catch (cause) {
      fail(cause);
    }
    setBusy(false);
  };

  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(code);
      }}
    >
      <p className="si-text">
        {t('session.code.sent', {
          count: length,
          destination: challenge.destination || challenge.identifier,
          sentAt: formatClock(language, challenge.sentAtMs),
          expiresAt: formatClock(language, challenge.expiresAtMs),
        })}{' '}
        <button className="si-link" type="button" onClick={() => onRestart(null)}>
          {t('session.code.change')}
        </button>
      </p>
      <div className="si-field">
        <label htmlFor="code">{t('session.code.label')}</label>
        <input
          id="code"
          ref={input}
          className="si-code"
          name="one-time-code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          disabled={expired}
          readOnly={busy}
          aria-invalid={error !== null}
          aria-describedby="code-hint code-problem"
          onChange={(event) => change(event.target.value)}
        />
        <p id="code-hint" className="si-hint">
          {t('session.code.hint')}
        </p>
        <p id="code-problem" className="si-error" role="alert">
          {expired ? t('session.code.expired') : error}
        </p>
      </div>
      {expired ? (
        <button className="si-primary" type="button" aria-busy={busy} onClick={() => void resend()}>
          {t('session.code.sendNew')}
        </button>
      ) : (
        <>
          <button
            className="si-primary"
            type="submit"
            disabled={code.length !== length}
            aria-busy={busy}
          >
            {busy ? t('session.code.checking') : t('session.code.signIn')}
          </button>
          <button
            className="si-link si-resend"
            type="button"
            disabled={resendInSeconds > 0 || busy}
            onClick={() => void resend()}
          >
            {resendInSeconds > 0
              ? t('session.code.resendIn', { seconds: resendInSeconds })
              : t('session.code.resend')}
          </button>
        </>
      )}
      <output className="si-hint">
        {notice || (resendInSeconds === 0 && !expired ? t('session.code.resendReady') : '')}
      </output>
    </form>
  );
}
