import { useRef, useState, type ReactNode } from 'react';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { needsConfirmation } from '../form/confirm-run.tsx';
import { ConfirmRerun } from './confirm-rerun.tsx';
import { notRunnableWordsOf } from '../form/not-runnable-words.ts';
import { useRerun } from '../form/use-run-command.ts';
import { shownTarget, type ShownTarget } from '../target/use-target.ts';
import type { Rerun } from './rerun.ts';

/**
 * "Run again": shows the devices that currently match, asks for confirmation, and repeats the run.
 */
export function useRerunControl(onRun: (run: RunDetail) => void): {
  readonly start: (rerun: Rerun) => void;
  readonly busy: boolean;
  readonly dialog: ReactNode;
} {
  const showError = useRefusal();
  const [asking, setAsking] = useState<Rerun | null>(null);
  const sent = useRef<Rerun | null>(null);
  const { rerun, isPending, error, reset } = useRerun(
    (run) => {
      setAsking(null);
      onRun(run);
    },
    (refusal) => {
      if (asking !== null) return;
      // Another command has the change lock of the device. The dialog offers to queue this one.
      if (sent.current !== null && isChangeLockRefusal(refusal)) setAsking(sent.current);
      else showError(refusal);
    },
  );
  const send = (
    wanted: Rerun,
    confirmation: string,
    options: ShownTarget & { readonly whenLocked: WhenLocked },
  ): void => {
    const { runId, onlyFailed, answer = null } = wanted;
    sent.current = wanted;
    rerun({ runId, onlyFailed, answer, confirmation, ...options });
  };
  return {
    start: (wanted) => {
      reset();
      if (isOnMany(wanted) || needsConfirmation(wanted.consequence)) setAsking(wanted);
      else send(wanted, '', { ...shownTarget(undefined), whenLocked: 'ask' });
    },
    busy: isPending,
    dialog:
      asking === null ? null : (
        <ConfirmRerun
          rerun={asking}
          isOnMany={isOnMany(asking)}
          busy={isPending}
          error={error}
          onConfirm={(typed, shown, whenLocked) => send(asking, typed, { ...shown, whenLocked })}
          onReload={reset}
          onCancel={() => setAsking(null)}
        />
      ),
  };
}

const isOnMany = ({ target }: Rerun): boolean => typeof target === 'number';

/** The version may have been deprecated since the first run, which has its own message. */
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
