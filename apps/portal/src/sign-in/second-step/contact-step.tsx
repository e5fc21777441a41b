import { LOGIN_CODE_RESEND_MS } from '@deviceportal/contract/constants';
import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { useNow } from '../use-now.ts';
import { CodeField } from './code-field.tsx';
import { StepField } from './step-field.tsx';
import type { StepProps } from './step-props.ts';
import { useAttempt } from './use-attempt.ts';

export interface ContactStepProps extends StepProps {
  readonly method: 'SMS' | 'EMAIL';
}

/**
 * Asks for a code sent by text message or email. The provider masks the address, so the user enters
 * it.
 */
export function ContactStep({ method, other, step, onUser }: ContactStepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  const nowMs = useNow();
  const [contact, setContact] = useState('');
  const [sentAtMs, setSentAtMs] = useState<number | null>(null);
  const send = (): Promise<boolean> =>
    attempt.run(async () => {
      await other.sendStepCode(method, contact);
      setSentAtMs(Date.now());
    });
  if (sentAtMs === null) {
    const own = method === 'SMS' ? step.phone : step.email;
    return (
      <form
        className="si-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <StepField
          label={
            step.isSetUp
              ? t(method === 'SMS' ? 'signIn.second.newPhone' : 'signIn.second.newEmail')
              : t(method === 'SMS' ? 'signIn.second.ownPhone' : 'signIn.second.ownEmail', { own })
          }
          problem={attempt.problem}
          type={method === 'SMS' ? 'tel' : 'email'}
          autoComplete={method === 'SMS' ? 'tel' : 'email'}
          maxLength={254}
          value={contact}
          readOnly={attempt.busy}
          onChange={({ target }) => setContact(target.value.trim())}
        />
        <button
          className="si-primary"
          type="submit"
          aria-busy={attempt.busy}
          disabled={contact === ''}
        >
          {t(attempt.busy ? 'signIn.identifier.sending' : 'signIn.identifier.send')}
        </button>
      </form>
    );
  }
  const seconds = Math.max(0, Math.ceil((sentAtMs + LOGIN_CODE_RESEND_MS - nowMs) / 1_000));
  return (
    <>
      <p className="si-text" role="status">
        {t('signIn.second.sent', { contact })}{' '}
        <button type="button" className="si-link" onClick={() => setSentAtMs(null)}>
          {t('signIn.second.otherContact')}
        </button>
      </p>
      <CodeField
        label={t('signIn.code.label')}
        attempt={attempt}
        onCode={async (code) =>
          onUser(await other.verifyContact(method, { mfaToken: step.mfaToken, contact, code }))
        }
      />
      <button
        type="button"
        className="si-link si-resend"
        disabled={seconds > 0 || attempt.busy}
        onClick={() => void send()}
      >
        {seconds > 0 ? t('signIn.code.resendIn', { seconds }) : t('signIn.code.resend')}
      </button>
    </>
  );
}
