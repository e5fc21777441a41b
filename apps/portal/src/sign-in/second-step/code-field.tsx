import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { StepField } from './step-field.tsx';
import type { Attempt } from './use-attempt.ts';

const DIGITS = 6;

/** A field for six digits, which are submitted automatically and cleared if wrong. */
export function CodeField(props: {
  readonly label: string;
  readonly attempt: Attempt;
  readonly onCode: (code: string) => Promise<void>;
}): ReactNode {
  const { attempt, label, onCode } = props;
  const t = useT();
  const [code, setCode] = useState('');
  const submit = async (digits: string): Promise<void> => {
    if (digits.length !== DIGITS) return;
    if (!(await attempt.run(() => onCode(digits)))) setCode('');
  };
  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(code);
      }}
    >
      <StepField
        label={label}
        problem={attempt.problem}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        readOnly={attempt.busy}
        onChange={({ target }) => {
          const digits = target.value.replaceAll(/\D/g, '').slice(0, DIGITS);
          setCode(digits);
          void submit(digits);
        }}
      />
      <button
        className="si-primary"
        type="submit"
        aria-busy={attempt.busy}
        disabled={code.length !== DIGITS}
      >
        {t(attempt.busy ? 'signIn.code.checking' : 'signIn.code.signIn')}
      </button>
    </form>
  );
}
