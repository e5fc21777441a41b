import type { CommandTarget } from '@deviceportal/contract/commands';
import { DEFAULT_EXECUTION_TIMEOUT_SECONDS } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import { recordAuditForDevices } from '../audit-trail/record-audit-for-devices.ts';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { requireConfirmation } from './confirmation-policy.ts';
import { freezeTarget, type FrozenTarget } from './freeze-target.ts';
import { maskParameters, type ParameterValues } from './parameter-vault.ts';
import type { ResolvedCommand } from './resolve-command.ts';
import { findRunByKey, insertInvocations, insertRun, type NewRun } from './run-insert-store.ts';

/** A run whose command, rights and parameters have been checked; its target has not. */
export interface CreateRun {
  readonly resolved: ResolvedCommand;
  readonly target: CommandTarget;
  readonly values: ParameterValues;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly comment: string;
  readonly confirmation: string;
  readonly idempotencyKey: string;
  readonly origin: RequestOrigin;
}

/**
 * Freezes the target and writes run, invocations and audit events in one transaction of five statements, however many
 * devices there are. Answers the run that exists where the idempotency key was used before.
 */
export async function createRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: CreateRun,
): Promise<{ readonly id: string; readonly command: string }> {
  const created = await inTransaction(deps.database, async (tx) => {
    const target = await freezeTarget(tx, viewer, { ...input, now: deps.clock() });
    requireConfirmation(input.resolved.consequence, target, input.confirmation);
    const run = newRun(deps, viewer, { ...input, frozen: target });
    if (!(await insertRun(tx, run))) return null;
    const invocations = target.devices.map(({ deviceId, instanceId }) => ({
      id: newId(run.createdAt.getTime()),
      deviceId,
      instanceId,
    }));
    await insertInvocations(tx, run, invocations);
    await recordAuditForDevices(tx, {
      type: 'command.requested',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      runId: run.id,
      at: run.createdAt,
      data: {
        runId: run.id,
        command: run.command,
        document: `${run.documentName}:${run.documentVersion}`,
        consequence: run.consequence,
        parameters: run.maskedParameters,
        targets: run.targetCount,
        comment: run.comment,
      },
      devices: invocations.map(({ id, deviceId }) => ({ deviceId, invocationId: id })),
    });
    return { run, deviceIds: invocations.map(({ deviceId }) => deviceId) };
  });
  if (created === null) {
    const existing = await findRunByKey(deps.database.orm, viewer.userId, input.idempotencyKey);
    if (existing === undefined) throw new Error('a run was neither created nor found by its key');
    return existing;
  }
  deps.changes.publish([
    { kind: 'run-created', runId: created.run.id },
    { kind: 'audit-trail', deviceIds: created.deviceIds },
  ]);
  return created.run;
}

function newRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: CreateRun & { readonly frozen: FrozenTarget },
): NewRun {
  const { resolved, frozen, values } = input;
  const createdAt = deps.clock();
  const id = newId(createdAt.getTime());
  const deliverBefore = new Date(createdAt.getTime() + input.timeoutSeconds * 1_000);
  const { document } = resolved;
  return {
    id,
    idempotencyKey: input.idempotencyKey,
    command: resolved.command,
    documentName: document.name,
    documentVersion: document.version,
    documentSha256: document.sha256,
    consequence: resolved.consequence,
    parameters: deps.vault.seal(id, values, document.secretParameters),
    maskedParameters: maskParameters(values, document.secretParameters),
    target: frozen.summary,
    targetSha256: frozen.sha256,
    maxConcurrency: input.maxConcurrency,
    maxErrors: input.maxErrors,
    timeoutSeconds: input.timeoutSeconds,
    executionTimeoutSeconds: DEFAULT_EXECUTION_TIMEOUT_SECONDS,
    comment: input.comment,
    targetCount: frozen.devices.length,
    createdById: viewer.userId,
    createdBy: viewer.username,
    requestId: input.origin.requestId,
    createdAt,
    deliverBefore,
    expiresAt: new Date(deliverBefore.getTime() + DEFAULT_EXECUTION_TIMEOUT_SECONDS * 1_000),
  };
}
