import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { WhenBusy } from '@deviceportal/contract/leases';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type {
  rerunCommandInput,
  rerunReferenceInput,
  RunDetail,
} from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { previewTarget } from './target/preview-target.ts';
import { requireWholeRun } from './require-whole-run.ts';
import { permissionsToRun } from './run-policy.ts';
import { runnableOf } from './runnable-of-run.ts';
import { repeatRun } from './repeat-run.ts';
import { findStoredRun, type StoredRun } from './run-store.ts';
import type { TargetAgreement } from './target/target-agreement.ts';

type RerunReference = Omit<z.infer<typeof rerunReferenceInput>, 'whenBusy'> & {
  /** Left out, it waits its turn. */
  readonly whenBusy?: WhenBusy;
};

export interface RerunCommand extends Omit<
  z.infer<typeof rerunCommandInput>,
  'whenBusy' | 'targetSha256' | 'targetCount'
> {
  readonly agreement: TargetAgreement;
  readonly whenBusy?: WhenBusy;
  readonly origin: RequestOrigin;
}

/**
 * The same document version with the same parameters, secret ones included, on the same devices, on those that did
 * not succeed, or on those that gave one answer. Rights, states and confirmation are checked as for any run.
 *
 * @throws PortalError 5000 without such a run; 4001 when no device is left; and what `repeatRun` throws
 */
export async function rerunCommand(
  deps: CommandsDeps,
  viewer: Viewer,
  input: RerunCommand,
): Promise<RunDetail> {
  const { run, target } = await findRerun(deps, viewer, input);
  return repeatRun(deps, viewer, run, {
    select: target.select,
    comment: run.comment,
    confirmation: input.confirmation,
    idempotencyKey: input.idempotencyKey,
    undoes: run.undoes,
    agreement: input.agreement,
    ...(input.whenBusy !== undefined && { whenBusy: input.whenBusy }),
    origin: input.origin,
  });
}

/**
 * Whom the same run would reach by now, and who would be left out and why.
 *
 * @throws PortalError 5000 without such a run; 1000 where the run reaches beyond the viewer's scope; 4001 when no device
 *   is left
 */
export async function previewRerun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: RerunReference,
): Promise<TargetPreview> {
  const { run, command, document, target } = await findRerun(deps, viewer, input);
  const { whenBusy = 'queue' } = input;
  return previewTarget(deps, viewer, {
    ...{ command, document, target, whenBusy },
    isUndo: run.undoes !== null,
  });
}

async function findRerun(deps: CommandsDeps, viewer: Viewer, input: RerunReference) {
  const run = await findStoredRun(
    deps.database.orm,
    input.runId,
    scopesOf(viewer.grants, ['commands:read']),
  );
  if (run === undefined) {
    throw new PortalError('invocationNotFound', { facts: { runId: input.runId } });
  }
  await requireWholeRun(deps.database.orm, viewer, {
    runId: run.id,
    permissions: permissionsToRun(await runnableOf(deps.database.orm, run)),
  });
  const select = devicesOf(viewer, { ...input, run });
  const { rows } = await deps.database.orm.execute(sql`${select} limit 1`);
  if (rows.length === 0) {
    throw new PortalError('commandHasNoDevice', { facts: { runId: run.id } });
  }
  return {
    run,
    command: run.command,
    document: `${run.documentName}:${run.documentVersion}`,
    target: { kind: 'selected' as const, select },
  };
}

function devicesOf(
  viewer: Viewer,
  { run, onlyFailed, answer }: RerunReference & { readonly run: StoredRun },
): SQL {
  // Both: of a run that is seen by one of its devices, the others stay unknown.
  const scope = sql`${deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']))}
    and ${deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']))}`;
  const which = onlyFailed ? sql`i.ended_at is not null and i.state <> 'Success'` : sql`true`;
  const said =
    answer === null
      ? sql`true`
      : sql`i.id in (select invocation_id from invocation_answer where run_id = ${run.id} and sha256 = ${answer})`;
  return sql`
    select i.device_id as id from invocation i join device d on d.id = i.device_id
    where i.run_id = ${run.id} and ${which} and ${said} and ${scope}`;
}
