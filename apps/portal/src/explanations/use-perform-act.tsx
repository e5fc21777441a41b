import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReasonAct } from '@deviceportal/contract/explanations';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useApiClient } from '../api/use-api.ts';
import { useRerunControl } from '../commands/runs/rerun-control.tsx';
import { runHref } from '../commands/runs/run-href.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { navigateTo } from '../ui/navigate-to.ts';

type Client = ReturnType<typeof useApiClient>;

/** Performs an action that needs no other page, and reloads the data on screen. */
export function usePerformAct(): {
  readonly perform: (act: ReasonAct) => void;
  readonly busy: boolean;
  readonly dialog: ReactNode;
} {
  const client = useApiClient();
  const queries = useQueryClient();
  const again = useRerunControl((run) => navigateTo(runHref(run)));
  const call = useMutation({
    mutationFn: (act: ReasonAct) => callFor(client, act),
    onError: useErrorFlash(),
    onSettled: () => queries.invalidateQueries(),
  });
  return {
    perform: (act) => {
      if (act.kind !== 'retry-failed') return call.mutate(act);
      const { runId, command, consequence, target, onlyFailed } = act.on;
      again.start({
        runId: String(runId),
        command: String(command),
        consequence: consequence as Consequence,
        target: target ?? '',
        onlyFailed: onlyFailed === 1,
      });
    },
    busy: call.isPending || again.busy,
    dialog: again.dialog,
  };
}

async function callFor(client: Client, { kind, on }: ReasonAct): Promise<void> {
  const of = (name: string): string => String(on[name]);
  const airBlast = { id: of('airBlastId') };
  switch (kind) {
    case 'resume-device':
      return void (await client.devices.resume.mutate({ id: of('deviceId'), reason: '' }));
    case 'resume-run':
      return void (await client.commands.resumeRun.mutate({ id: of('runId') }));
    case 'cancel-invocation':
      return void (await client.commands.cancelInvocation.mutate({ id: of('invocationId') }));
    case 'resume-schedule':
      return void (await client.schedules.resume.mutate({ id: of('scheduleId') }));
    case 'send-for-review':
      return void (await client.documents.sendForReview.mutate({
        name: of('name'),
        version: Number(on['version']),
      }));
    case 'resume-air-blast':
      return void (await client.airBlast.resume.mutate(airBlast));
    case 'retry-air-blast':
      return void (await client.airBlast.retry.mutate(airBlast));
    case 'take-over-air-blast':
      return void (await client.airBlast.takeOver.mutate(airBlast));
    default:
      throw new RangeError(`no procedure for action ${kind}`);
  }
}
