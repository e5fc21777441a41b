import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { needsConfirmation } from '../form/confirm-run.tsx';
import { useUndo } from '../form/use-run-command.ts';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { changedTargetOf } from '../target/changed-target.ts';
import { shownTarget } from '../target/use-target.ts';

export interface UndoStateInput {
  readonly offer: UndoOffer;
  /** Empty for all devices of the run. */
  readonly deviceId: string;
  readonly onRun: (run: RunDetail) => void;
  /** Reloads the offer, because the devices that can be undone have changed. */
  readonly onBusy: () => void;
}

/** The state of the undo form: its devices and the error of the last request. */
export function useUndoState({ offer, deviceId, onRun, onBusy }: UndoStateInput) {
  const t = useT();
  const [comment, setComment] = useState('');
  const [confirming, setConfirming] = useState(false);
  const [queues, setQueues] = useState(false);
  const whenLocked = queues ? 'queue' : 'ask';
  const isOnMany = offer.hindrance === null && offer.count > 1;
  const api = useApi();
  const preview = useQuery(
    api.commands.previewUndo.queryOptions(
      { runId: offer.runId, deviceId: deviceId || null, whenLocked },
      { enabled: isOnMany && offer.allowed, staleTime: 0, gcTime: 0 },
    ),
  );
  const { undo, isPending, error, reset } = useUndo(
    (run) => {
      setConfirming(false);
      onRun(run);
    },
    (refusal) => {
      if (!isChangeLockRefusal(refusal)) return;
      setConfirming(false);
      onBusy();
    },
  );
  const send = (confirmation: string): void =>
    undo({
      ...{ runId: offer.runId, deviceId: deviceId || null, comment, confirmation },
      ...shownTarget(preview.data),
      whenLocked,
    });
  const changed = changedTargetOf(error);
  return {
    comment,
    setComment,
    confirming,
    queues,
    setQueues,
    error,
    changed,
    preview,
    /** The devices are not known yet, or differ from those shown. */
    isUnsettled:
      changed !== null || (isOnMany && (preview.data === undefined || preview.isFetching)),
    reload: () => {
      reset();
      onBusy();
      void preview.refetch();
    },
    busy: isPending,
    reason:
      offer.hindrance !== null
        ? t(`commands.undo.${offer.hindrance}`)
        : offer.allowed
          ? undefined
          : t('app.needsPermission', { permission: offer.missingPermission ?? 'commands:run' }),
    send,
    press: () => {
      reset();
      if (needsConfirmation(offer.consequence)) setConfirming(true);
      else send('');
    },
    cancel: () => {
      setConfirming(false);
      reset();
    },
  };
}

export type UndoState = ReturnType<typeof useUndoState>;
