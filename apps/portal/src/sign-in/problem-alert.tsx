import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { formatWait } from './format-wait.ts';
import type { SignInProblem } from './sign-in-problem.ts';
import { useOnline } from './use-online.ts';

export interface ProblemProps {
  readonly problem: SignInProblem | null;
  readonly identifier: string;
  readonly nowMs: number;
}

/**
 * A problem above the form, with the next step. Screen readers announce it once, without the
 * countdown.
 */
export function ProblemAlert({ problem, identifier, nowMs }: ProblemProps): ReactNode {
  const t = useT();
  const isBack = useOnline();
  const isShown = problem?.place === 'card' && !(problem.kind === 'offline' && isBack);
  const waitMs = isShown ? (problem.waitUntilMs ?? 0) - nowMs : 0;
  return (
    <div role="alert">
      {isShown ? (
        <div className="si-alert">
          <svg className="si-icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M8 1.5 15 14H1L8 1.5Z M8 6v4 M8 11.6v.9" />
          </svg>
          <p>
            <strong>
              {t(`signIn.problem.${problem.kind}.title`, valuesOf(problem, identifier))}
            </strong>{' '}
            {t(`signIn.problem.${problem.kind}.next`, valuesOf(problem, identifier))}
            {waitMs > 0 ? (
              <span className="si-wait" aria-hidden="true">
                {t('signIn.problem.waitLeft', { time: formatWait(waitMs) })}
              </span>
            ) : null}
          </p>
        </div>
      ) : null}
    </div>
  );
}

/** The problem of a field. Always rendered, so that screen readers announce its content. */
export function FieldProblem({
  id,
  problem,
  identifier,
  next,
}: Omit<ProblemProps, 'nowMs'> & {
  readonly id: string;
  /** Replaces the default next step. */
  readonly next?: string | undefined;
}): ReactNode {
  const t = useT();
  const values = problem === null ? undefined : valuesOf(problem, identifier);
  return (
    <p id={id} className="si-error" role="alert">
      {problem?.place === 'field'
        ? `${t(`signIn.problem.${problem.kind}.title`, values)} ${next ?? t(`signIn.problem.${problem.kind}.next`, values)}`
        : null}
    </p>
  );
}

const valuesOf = (problem: SignInProblem, identifier: string) => ({
  identifier,
  name: problem.service ?? '',
});
