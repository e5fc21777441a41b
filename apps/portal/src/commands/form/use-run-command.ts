import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi, type ApiInputs } from '../../api/use-api.ts';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';

type RunInput = Omit<ApiInputs['commands']['run'], 'idempotencyKey'>;
type UndoInput = Omit<ApiInputs['commands']['undo'], 'idempotencyKey'>;
type RerunInput = Omit<ApiInputs['commands']['rerun'], 'idempotencyKey'>;

/** Sends a command; a press while one is under way, or after an unknown outcome, is the same run. */
export function useRunCommand(onRun: (run: RunDetail) => void, onError?: (error: unknown) => void) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.run.mutationOptions(settled.handlers));
  return {
    run: (input: RunInput) => {
      if (mutation.isPending) return;
      mutation.mutate({ ...input, idempotencyKey: settled.keys.keyFor(input) });
    },
    reset: mutation.reset,
    isPending: mutation.isPending,
    error: mutation.error,
  };
}

/** The same run again, or on the devices that did not succeed. */
export function useRerun(onRun: (run: RunDetail) => void, onError?: (error: unknown) => void) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.rerun.mutationOptions(settled.handlers));
  return {
    rerun: (input: RerunInput) => {
      if (mutation.isPending) return;
      mutation.mutate({ ...input, idempotencyKey: settled.keys.keyFor(input) });
    },
    reset: mutation.reset,
    isPending: mutation.isPending,
    error: mutation.error,
  };
}

/** Takes a run back. */
export function useUndo(onRun: (run: RunDetail) => void, onError?: (error: unknown) => void) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.undo.mutationOptions(settled.handlers));
  return {
    undo: (input: UndoInput) => {
      if (mutation.isPending) return;
      mutation.mutate({ ...input, idempotencyKey: settled.keys.keyFor(input) });
    },
    reset: mutation.reset,
    isPending: mutation.isPending,
    error: mutation.error,
  };
}

function useSettled(onRun: (run: RunDetail) => void, onError?: (error: unknown) => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [keys] = useState(() => createIdempotencyKeys());
  return {
    keys,
    handlers: {
      onSuccess: (run: RunDetail) => {
        keys.settle(null);
        void queryClient.invalidateQueries(api.commands.listRuns.pathFilter());
        // With the values that were used just now.
        void queryClient.invalidateQueries(api.commands.getForm.pathFilter());
        onRun(run);
      },
      onError: (error: unknown) => {
        keys.settle(portalErrorOf(error).name);
        onError?.(error);
      },
    },
  };
}
