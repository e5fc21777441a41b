import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { CommandsDeps } from '../../apps/server/src/commands/commands-deps.ts';
import type { TargetAgreement } from '../../apps/server/src/commands/target/target-agreement.ts';
import { runProcessTop } from '../run-process-top.ts';

export const allDevices: CommandTarget = {
  kind: 'filter',
  filter: { text: '', tokens: [], operation: 'and', targetListId: null },
};

/** From the call that creates the run to its end in the database, with all results committed. */
export async function fanOut(
  deps: CommandsDeps,
  count: number,
  agreement: TargetAgreement,
): Promise<number> {
  const startedMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  let runId: string | undefined;
  const check = async (): Promise<void> => {
    const { rows } = await deps.database.pool.query<{ ended: boolean; success: number }>(
      'select ended_at is not null as ended, success_count as success from command_run where id = $1',
      [runId],
    );
    const [row] = rows;
    if (!row?.ended) return;
    if (row.success !== count) throw new Error(`${row.success} of ${count} succeeded`);
    resolve();
  };
  using _ = deps.changes.subscribe((change) => {
    if (change.kind === 'run' && runId !== undefined) void check();
  });
  const run = await runProcessTop(deps, { target: allDevices, agreement });
  runId = run.id;
  await check();
  await promise;
  return performance.now() - startedMs;
}
