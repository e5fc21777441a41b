import { useEffect, useRef, type ReactNode } from 'react';
import { formatClock } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { formatWait } from './format-wait.ts';
import { FieldProblem, ProblemAlert } from './problem-alert.tsx';
import { useCodeEntry, type CodeEntry, type CodeEntryOptions } from './use-code-entry.ts';
import { useNow } from './use-now.ts';
import { useOnline } from './use-online.ts';

export type CodeStepProps = CodeEntryOptions;

/**
 * The second step: a field for the code, which is submitted automatically once for each complete
 * value.
 */
export function CodeStep(props: CodeStepProps): ReactNode {
  const { challenge, onRestart } = props;
  const t = useT();
  const language = useLanguage();
  const online = useOnline();
  const entry = useCodeEntry(props);
  const nowMs = useNow();
  const expired = nowMs >= challenge.expiresAtMs;
  const input = useRef<HTMLInputElement>(null);
  const sendNew = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    (expired ? sendNew : input).current?.focus();
  }, [challenge, expired]);

  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void entry.submit();
      }}
    >
      <ProblemAlert problem={entry.problem} identifier={challenge.identifier} nowMs={nowMs} />
      <p id="code-sent" className="si-text">
        {t(challenge.medium === 'sms' ? 'signIn.code.texted' : 'signIn.code.mailed', {
          count: challenge.codeLength,
          destination: challenge.destination || challenge.identifier,
          sentAt: formatClock(language, challenge.sentAtMs),
          expiresAt: formatClock(language, challenge.expiresAtMs),
        })}{' '}
        <button className="si-link" type="button" onClick={() => onRestart(null)}>
          {t('signIn.code.change')}
        </button>
      </p>
      <CodeField {...{ entry, challenge, expired, input, nowMs }} />
      {expired ? (
        <button
          ref={sendNew}
          className="si-primary"
          type="button"
          aria-busy={entry.busy !== null}
          onClick={() => void entry.resend()}
        >
          {t(entry.busy === null ? 'signIn.code.sendNew' : 'signIn.identifier.sending')}
        </button>
      ) : (
        <Actions {...{ entry, challenge, nowMs }} />
      )}
      <output className="si-hint">{notice(t, { entry, challenge, nowMs, online, expired })}</output>
    </form>
  );
}

interface PartProps {
  readonly entry: CodeEntry;
  readonly challenge: CodeStepProps['challenge'];
  readonly nowMs: number;
}

function CodeField({
  entry,
  challenge,
  expired,
  input,
  nowMs,
}: PartProps & {
  readonly expired: boolean;
  readonly input: React.RefObject<HTMLInputElement | null>;
}): ReactNode {
  const t = useT();
  const leftMs = Math.max(0, challenge.expiresAtMs - nowMs);
  const { problem } = entry;
  const attempts = challenge.attemptsLeft;
  return (
    <div className="si-field">
      <label htmlFor="code">{t('signIn.code.label')}</label>
      <div className="si-slots">
        <input
          id="code"
          ref={input}
          className="si-code"
          style={{ '--si-length': challenge.codeLength } as React.CSSProperties}
          name="one-time-code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          value={entry.code}
          disabled={expired}
          readOnly={entry.busy !== null}
          aria-invalid={problem?.place === 'field' || expired}
          aria-describedby="code-sent code-hint code-problem"
          onChange={(event) => entry.change(event.target.value)}
        />
      </div>
      <progress
        className="si-left"
        aria-hidden="true"
        value={leftMs}
        max={challenge.expiresAtMs - challenge.sentAtMs}
      />
      <p className="si-hint">
        <span id="code-hint">{t('signIn.code.hint')}</span>
        {expired ? null : (
          <span className="si-clock" aria-hidden="true">
            {t('signIn.code.left', { time: formatWait(leftMs) })}
          </span>
        )}
      </p>
      {expired ? (
        <p id="code-problem" className="si-error" role="alert">
          {t('signIn.code.expired')}
        </p>
      ) : (
        <FieldProblem
          id="code-problem"
          problem={problem}
          identifier={challenge.identifier}
          next={attempts === null ? undefined : t('signIn.code.attemptsLeft', { count: attempts })}
        />
      )}
    </div>
  );
}

function Actions({ entry, challenge, nowMs }: PartProps): ReactNode {
  const t = useT();
  const resendInSeconds = Math.max(0, Math.ceil((challenge.resendAfterMs - nowMs) / 1_000));
  const waits = (entry.problem?.waitUntilMs ?? 0) > nowMs;
  return (
    <>
      <button
        className="si-primary"
        type="submit"
        disabled={entry.code.length !== challenge.codeLength || waits}
        aria-busy={entry.busy === 'checking'}
      >
        {entry.busy === 'checking' ? t('signIn.code.checking') : t('signIn.code.signIn')}
      </button>
      <button
        className="si-link si-resend"
        type="button"
        disabled={resendInSeconds > 0 || waits || entry.busy !== null}
        onClick={() => void entry.resend()}
      >
        {resendInSeconds > 0
          ? t('signIn.code.resendIn', { seconds: resendInSeconds })
          : t('signIn.code.resend')}
      </button>
    </>
  );
}

function notice(
  t: ReturnType<typeof useT>,
  facts: PartProps & { readonly online: boolean; readonly expired: boolean },
): string {
  if (!facts.online) return facts.entry.problem?.kind === 'offline' ? '' : t('signIn.offline');
  if (facts.expired) return '';
  const canResend = facts.nowMs >= facts.challenge.resendAfterMs;
  if (canResend) return t('signIn.code.resendReady');
  return facts.entry.sentAgain ? t('signIn.code.sentAgain') : '';
}
