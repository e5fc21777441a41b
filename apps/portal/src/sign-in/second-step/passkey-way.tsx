import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { askForPasskey } from '../passkeys/ask-for-passkey.ts';
import type { StepProps } from './step-props.ts';
import { useAttempt } from './use-attempt.ts';

/** Asks for a passkey of the account at the provider. */
export function PasskeyWay({ other, step, onUser }: StepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  const run = (): Promise<boolean> =>
    attempt.run(async () => {
      const options = await other.beginPasskey(step.mfaToken);
      const credential = await askForPasskey(JSON.stringify(options));
      if (credential === undefined) return;
      await onUser(await other.verifyPasskey(step.mfaToken, JSON.parse(credential) as object));
    });
  return (
    <div className="si-form">
      <p className="si-error" role="alert">
        {attempt.problem}
      </p>
      <button
        type="button"
        className="si-primary"
        aria-busy={attempt.busy}
        onClick={() => void run()}
      >
        {t('signIn.passkey.use')}
      </button>
    </div>
  );
}
