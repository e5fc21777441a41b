import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { PasskeyNeeded } from '../../session/passkey-needed.ts';
import { StepField } from '../second-step/step-field.tsx';
import { problemNow } from '../sign-in-problem.ts';
import { answerPasskey } from '../sign-in-flow.ts';
import { askForPasskey } from './ask-for-passkey.ts';

export interface PasskeyStepProps {
  readonly step: PasskeyNeeded;
  readonly onSignedIn: () => void;
  readonly onRestart: () => void;
}

/** After the code: asks for a passkey, or for a recovery code in its place. */
export function PasskeyStep({ step, onSignedIn, onRestart }: PasskeyStepProps): ReactNode {
  const t = useT();
  const attempt = useStepAttempt(step, onSignedIn);
  const [recovery, setRecovery] = useState<string | null>(null);
  return (
    <section className="si-form" aria-labelledby="passkey-step-title">
      <p id="passkey-step-title" className="si-text">
        {t('signIn.passkey.title')}
      </p>
      <form
        className="si-form"
        onSubmit={(event) => {
          event.preventDefault();
          void (recovery === null ? attempt.usePasskey() : attempt.answer(recovery));
        }}
      >
        {recovery === null ? (
          <p className="si-error" role="alert">
            {attempt.problem}
          </p>
        ) : (
          <StepField
            label={t('signIn.second.recovery')}
            problem={attempt.problem}
            value={recovery}
            autoComplete="off"
            readOnly={attempt.busy}
            onChange={({ target }) => setRecovery(target.value.trim().slice(0, 64))}
          />
        )}
        <button
          className="si-primary"
          type="submit"
          aria-busy={attempt.busy}
          disabled={attempt.isOver || recovery === ''}
        >
          {t(recovery === null ? 'signIn.passkey.use' : 'signIn.code.signIn')}
        </button>
      </form>
      <div className="si-row">
        <button
          type="button"
          className="si-link"
          onClick={() => setRecovery(recovery === null ? '' : null)}
        >
          {t(recovery === null ? 'signIn.passkey.useRecovery' : 'signIn.passkey.use')}
        </button>
        <button type="button" className="si-link" onClick={onRestart}>
          {t('signIn.code.change')}
        </button>
      </div>
    </section>
  );
}

/** One attempt at a time. Each try has its own challenge, which the previous one returns. */
function useStepAttempt(first: PasskeyNeeded, onSignedIn: () => void) {
  const t = useT();
  const [step, setStep] = useState(first);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const run = async (prove: () => Promise<string | undefined>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const answer = await prove();
      if (answer === undefined) return;
      await answerPasskey(answer);
      onSignedIn();
    } catch (error) {
      if (error instanceof PasskeyNeeded) {
        setStep(error);
        setProblem(t('signIn.passkey.wrong', { count: error.attemptsLeft ?? 0 }));
        return;
      }
      const { kind } = problemNow(error, 'code');
      setOver(kind === 'tooManyTries' || kind === 'tookTooLong');
      setProblem(t(kind === 'limit' ? 'signIn.problem.limit.next' : 'signIn.passkey.over'));
    } finally {
      setBusy(false);
    }
  };
  return {
    ...{ busy, problem, isOver },
    answer: (text: string) => run(async () => text),
    usePasskey: () => run(() => askForPasskey(step.options)),
  };
}
