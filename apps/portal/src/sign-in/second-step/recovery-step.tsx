import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { AcceptedUser } from '../sign-in-flow.ts';
import { StepField } from './step-field.tsx';
import type { StepProps } from './step-props.ts';
import { useAttempt } from './use-attempt.ts';

export interface RecoveryStepProps extends StepProps {
  readonly verify: (mfaToken: string, code: string) => Promise<AcceptedUser>;
}

/** Asks for a recovery code of the app, or of the passkeys. */
export function RecoveryStep({ step, verify, onUser }: RecoveryStepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  const [code, setCode] = useState('');
  const submit = async (): Promise<void> => {
    const isPermissionName = await attempt.run(async () =>
      onUser(await verify(step.mfaToken, code)),
    );
    if (!isPermissionName) setCode('');
  };
  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <StepField
        label={t('signIn.second.recovery')}
        problem={attempt.problem}
        value={code}
        autoComplete="off"
        readOnly={attempt.busy}
        onChange={({ target }) => setCode(target.value.trim().slice(0, 128))}
      />
      <button className="si-primary" type="submit" aria-busy={attempt.busy} disabled={code === ''}>
        {t(attempt.busy ? 'signIn.code.checking' : 'signIn.code.signIn')}
      </button>
    </form>
  );
}
