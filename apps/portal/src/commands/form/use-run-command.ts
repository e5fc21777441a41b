import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi, type ApiInputs } from '../../api/use-api.ts';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency-keys.ts';

type RunInput = Omit<ApiInputs['commands']['run'], 'idempotencyKey'>;
type UndoInput = Omit<ApiInputs['commands']['undo'], 'idempotencyKey'>;
type RerunInput = Omit<ApiInputs['commands']['rerun'], 'idempotencyKey'>;

type OnRun = (run: RunDetail) => void;
type OnError = (error: unknown) => void;

/** Sends a command. A press during a request or after an unknown outcome sends the same run. */
export function useRunCommand(onRun: OnRun, onError?: OnError) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.run.mutationOptions(settled.handlers));
  const { send, ...sending } = sendOnce<RunInput, typeof mutation.error>(mutation, settled.keys);
  return { run: send, ...sending };
}

/** Sends the same run again, or only on its unsuccessful devices. */
export function useRerun(onRun: OnRun, onError?: OnError) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.rerun.mutationOptions(settled.handlers));
  const { send, ...sending } = sendOnce<RerunInput, typeof mutation.error>(mutation, settled.keys);
  return { rerun: send, ...sending };
}

/** Undoes a run. */
export function useUndo(onRun: OnRun, onError?: OnError) {
  const api = useApi();
  const settled = useSettled(onRun, onError);
  const mutation = useMutation(api.commands.undo.mutationOptions(settled.handlers));
  const { send, ...sending } = sendOnce<UndoInput, typeof mutation.error>(mutation, settled.keys);
  return { undo: send, ...sending };
}

interface Sending<Input, Failure> {
  readonly mutate: (input: Input & { readonly idempotencyKey: string }) => void;
  readonly reset: () => void;
  readonly isPending: boolean;
  readonly error: Failure;
}

function sendOnce<Input, Failure>(mutation: Sending<Input, Failure>, keys: IdempotencyKeys) {
  return {
    send: (input: Input) => {
      if (mutation.isPending) return;
      mutation.mutate({ ...input, idempotencyKey: keys.keyFor(input) });
    },
    reset: mutation.reset,
    isPending: mutation.isPending,
    error: mutation.error,
  };
}

function useSettled(onRun: OnRun, onError?: OnError) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [keys] = useState(() => createIdempotencyKeys());
  return {
    keys,
    handlers: {
      onSuccess: (run: RunDetail) => {
        keys.settle(null);
        void queryClient.invalidateQueries(api.commands.listRuns.pathFilter());
        // Reloads the form, which contains the last values.
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
