import { useEffect, useRef, type InputHTMLAttributes, type ReactNode } from 'react';

export interface StepFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly problem: string;
}

/** The input of a step. It has the focus and shows its problem. */
export function StepField({ label, problem, ...input }: StepFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [label]);
  return (
    <div className="si-field">
      <label htmlFor="second-step">{label}</label>
      <input
        id="second-step"
        ref={field}
        aria-invalid={problem !== ''}
        aria-describedby="second-step-problem"
        {...input}
      />
      <p id="second-step-problem" className="si-error" role="alert">
        {problem}
      </p>
    </div>
  );
}
