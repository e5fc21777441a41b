import type { WhenLocked } from '@deviceportal/contract/change-locks';
import type { RunCommandInput, RunDetail } from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { RunDeps } from './commands-deps.ts';
import { createRun } from './create-run.ts';
import { getRun } from './get-run.ts';
import { requireAllActive } from './catalog/require-active.ts';
import type { ParameterValues } from './parameters/parameter-vault.ts';
import { resolveCommand, type ResolvedCommand } from './catalog/resolve-command.ts';
import { findRunByKey } from './data/runs/run-insert-queries.ts';
import { mayRunAnywhere, missingPermission } from './run-policy.ts';
import { findRun } from './data/runs/run-queries.ts';
import { runDetailOf } from './run-view.ts';
import { requireStepUpToDestroy } from './step-up-when-destroying.ts';
import { storeOfCommand } from './catalog/store-of-command.ts';
import type { TargetAgreement } from './target/target-agreement.ts';
import type { RunTarget } from './target/run-target.ts';
import { validateParameters } from './parameters/validate-parameters.ts';

export interface RunCommand extends Omit<
  RunCommandInput,
  'target' | 'confirmation' | 'targetSha256' | 'targetCount' | 'whenLocked'
> {
  readonly target: RunTarget | null;
  readonly agreement: TargetAgreement;
  /** For devices with a change lock of another user; absent: queued behind it. */
  readonly whenLocked?: WhenLocked;
  /** The typed confirmation; null if it was confirmed earlier for exactly these devices. */
  readonly confirmation: string | null;
  /** Whether it is a wave of a rollout, which does not count for the operator's limits. */
  readonly isWave?: boolean;
  /** The run to undo, with the undo steps of the same version. */
  readonly undoes?: string | null;
  /** Compares the content to sign with what was authorized earlier; throws if it differs. */
  readonly requireAuthorized?: (resolved: ResolvedCommand, values: ParameterValues) => void;
  /** Compares the devices in the same way: 16 bytes each, sorted by ID. */
  readonly requireAuthorizedDevices?: (deviceIds: Buffer) => void;
  readonly origin: RequestOrigin;
}

/**
 * Runs a command: creates a run, its invocations, and the audit events of all devices in one transaction. With an
 * idempotency key that was used before, returns the existing run as it is visible to the viewer now.
 *
 * @throws PortalError 4002, 2003, 1000, 4001, 2004, 6000, 6001, 4003; 5000 if the existing run is no longer visible;
 * errors of `requireAuthorized`
 */
export async function runCommand(
  deps: RunDeps,
  viewer: Viewer,
  input: RunCommand,
): Promise<RunDetail> {
  const { database } = deps;
  const existing = await findRunByKey(database.orm, viewer.userId, input.idempotencyKey);
  if (existing !== undefined) {
    requireSameCommand(existing, input.command);
    // The viewer's permissions can have changed. Schedules and rollouts need only the ID.
    return input.agreement.kind === 'shown'
      ? getRun(deps, viewer, existing.id)
      : detailOf(deps, existing);
  }
  const resolved = await resolveCommand(database.orm, input.command, input.document);
  requireRight(viewer, resolved);
  await requireStepUpToDestroy(input.origin, resolved.consequence);
  const undoes = input.undoes ?? null;
  if (undoes === null) await requireAllActive(database.orm, resolved);
  const target = requireTarget(input.target);
  const values = validateParameters(resolved.document.parsed.parameters ?? {}, input.parameters);
  input.requireAuthorized?.(resolved, values);
  const isUndo = undoes !== null;
  const store = await storeOfCommand(deps.parameters, resolved, { values, isUndo });
  const run = await createRun(deps, viewer, { ...input, resolved, target, values, store, undoes });
  requireSameCommand(run, input.command);
  return detailOf(deps, run);
}

function requireSameCommand(run: { readonly command: string }, command: string): void {
  if (run.command === command) return;
  throw refuse('key-of-other-command', { field: 'idempotencyKey' });
}

async function detailOf(
  { database }: RunDeps,
  { id }: { readonly id: string },
): Promise<RunDetail> {
  const found = await findRun(database.orm, id);
  if (found === undefined) throw new PortalError('invocationNotFound', { facts: { runId: id } });
  return runDetailOf(found);
}

/** @throws PortalError 1000 with the permission */
export function requireRight(viewer: Viewer, resolved: ResolvedCommand): void {
  if (mayRunAnywhere(viewer.grants, resolved)) return;
  throw new PortalError('noPermission', {
    facts: { permission: missingPermission(resolved), command: resolved.command },
  });
}

function requireTarget(target: RunTarget | null): RunTarget {
  if (target === null || (target.kind === 'devices' && target.deviceIds.length === 0))
    throw new PortalError('commandHasNoDevice');
  return target;
}
