import { useState, type ReactNode } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../shell/error-reaction/use-error-flash.tsx';
import { useFlash } from '../shell/flash-store.ts';
import { asksFirst, ConfirmRun } from './confirm-run.tsx';
import { notRunnableWordsOf } from './not-runnable-words.ts';
import { useRerun } from './use-run-command.ts';

export interface Rerun {
  readonly runId: string;
  readonly command: string;
  readonly consequence: Consequence;
  readonly target: string | number;
  readonly onlyFailed: boolean;
  /** Only the devices that gave this answer. */
  readonly answer?: string;
}

/** "Run again": the same confirmation as the first time, then the same run once more. */
export function useRerunControl(onRun: (run: RunDetail) => void): {
  readonly start: (rerun: Rerun) => void;
  readonly busy: boolean;
  readonly dialog: ReactNode;
} {
  const showError = useRefusal();
  const [asking, setAsking] = useState<Rerun | null>(null);
  const { rerun, isPending, error, reset } = useRerun(
    (run) => {
      setAsking(null);
      onRun(run);
    },
    asking === null ? showError : undefined,
  );
  const send = ({ runId, onlyFailed, answer }: Rerun, confirmation: string): void =>
    rerun({ runId, onlyFailed, answer: answer ?? null, confirmation });
  return {
    start: (wanted) => {
      reset();
      if (asksFirst(wanted.consequence)) setAsking(wanted);
      else send(wanted, '');
    },
    busy: isPending,
    dialog:
      asking === null ? null : (
        <ConfirmRun
          command={asking.command}
          consequence={asking.consequence}
          target={asking.target}
          duration={null}
          busy={isPending}
          error={error}
          onConfirm={(typed) => send(asking, typed)}
          onCancel={() => setAsking(null)}
        />
      ),
  };
}

/** A version may have been deprecated since the first run: that is said in its own words. */
function useRefusal(): (error: unknown) => void {
  const t = useT();
  const flash = useFlash();
  const showError = useErrorFlash();
  return (error) => {
    const refused = notRunnableWordsOf(error, t);
    if (refused === null) showError(error);
    else flash.add({ type: 'error', ...refused, dismissible: true });
  };
}
