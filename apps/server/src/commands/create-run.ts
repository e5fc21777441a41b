import { setImmediate } from 'node:timers/promises';
import { DEFAULT_EXECUTION_TIMEOUT_SECONDS } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import { recordAuditForDevices } from '../audit-trail/record-audit-for-devices.ts';
import { actorOf } from '../audit-trail/record-audit.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { approvalNeeded } from './approval/approval-needed.ts';
import { approvalEndsAt, holdRun } from './approval/hold-run.ts';
import { findRunRule } from './approval/find-run-rule.ts';
import type { CommandsDeps, RunDeps } from './commands-deps.ts';
import { requireConfirmation } from './confirmation-policy.ts';
import { deviceIdGroups } from './target/device-ids-of.ts';
import { resolveTarget } from './target/resolve-target.ts';
import type { ResolvedTarget } from './target/resolved-target.ts';
import { maskParameters, type ParameterValues } from './parameters/parameter-vault.ts';
import { requireStillActive } from './catalog/require-active.ts';
import type { GivenByStore } from './parameters/resolve-store-values.ts';
import type { ResolvedCommand } from './catalog/resolve-command.ts';
import { allowLargeSorts } from './data/allow-large-sorts.ts';
import { openRunsOf } from './data/runs/run-queries.ts';
import { neededProtocol } from './execution/needed-protocol.ts';
import { withOlderValues } from './parameters/keep-secure-values.ts';
import { timesOf } from './run-times.ts';
import { waitForOtherChanges } from './locks/wait-for-other-changes.ts';
import { signRun } from './signing/sign-run.ts';
import { lockUndo } from './undo/lock-undo.ts';
import { requireAgreed, type TargetAgreement } from './target/target-agreement.ts';
import type { RunTarget } from './target/run-target.ts';
import { sealStore, type StoreContent } from './parameters/store-vault.ts';
import {
  findRunByKey,
  insertRun,
  invocationsOf,
  writeInvocations,
  type NewRun,
  type SentAtOnce,
} from './data/runs/run-insert-queries.ts';

/** A run whose command, permissions, and parameters have been checked, but not its target. */
export interface CreateRun {
  readonly resolved: ResolvedCommand;
  readonly target: RunTarget;
  readonly agreement: TargetAgreement;
  readonly values: ParameterValues;
  /** Values from the parameter store. */
  readonly store: GivenByStore;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly comment: string;
  /** The typed confirmation; null if it was confirmed earlier. */
  readonly confirmation: string | null;
  readonly whenLocked?: WhenLocked;
  readonly idempotencyKey: string;
  /** Whether it is a wave of a rollout, where limits apply to the rollout. */
  readonly isWave?: boolean;
  /** Compares the devices with those authorized earlier (16 bytes each); throws if they differ. */
  readonly requireAuthorizedDevices?: (deviceIds: Buffer) => void;
  /** The run that is undone; null for other runs. */
  readonly undoes: string | null;
  readonly origin: RequestOrigin;
}

/** Number of devices in the first announcement of a run; others are announced afterwards. */
const ANNOUNCED_AT_ONCE = 1_000;

/** A concurrent request with the same key was first, so this transaction must be rolled back. */
class DuplicateRun extends Error {}

/**
 * Resolves the target and writes run, invocations, and audit events in one transaction with a constant number of
 * statements. Device IDs are not loaded into this process, so the cost does not depend on their number. Returns the
 * existing run if the idempotency key was used before.
 */
export async function createRun(
  deps: RunDeps,
  viewer: Viewer,
  input: CreateRun,
): Promise<{ readonly id: string; readonly command: string }> {
  try {
    const created = await inTransaction(deps.database, (tx) => write(tx, deps, viewer, input));
    announce(deps, created);
    return created.run;
  } catch (error) {
    if (!(error instanceof DuplicateRun)) throw error;
    const existing = await findRunByKey(deps.database.orm, viewer.userId, input.idempotencyKey);
    if (existing === undefined)
      throw new Error('run was neither created nor found by its key', { cause: error });
    return existing;
  }
}

interface CreatedRun {
  readonly run: NewRun;
  /** IDs of the first devices. */
  readonly deviceIds: readonly string[];
  /** IDs of all devices: 16 bytes each, in the same order. */
  readonly ids: Buffer;
  /** Changes to publish after commit. */
  readonly changes: readonly Change[];
}

/** @throws DuplicateRun if another call with the same key was first */
async function write(
  tx: Transaction,
  deps: RunDeps,
  viewer: Viewer,
  input: CreateRun,
): Promise<CreatedRun> {
  await requireRoomForRun(tx, viewer, input);
  await waitForOtherChanges(tx, input);
  // An undo is allowed even if the version has been deprecated since.
  if (input.undoes === null) await requireStillActive(tx, input.resolved);
  else if (!(await lockUndo(tx, viewer, { ...input, runId: input.undoes })))
    throw new DuplicateRun();
  // A large target is sorted and stored twice. Sorting in memory avoids temporary files.
  await allowLargeSorts(tx);
  const identity = newIdentity(deps.clock(), input.timeoutSeconds);
  const { consequence } = input.resolved;
  const rule = await findRunRule(tx, consequence);
  const sent = sentAtOnce(deps, input);
  const below = input.agreement.kind === 'planned' ? null : (rule?.approvalFrom ?? null);
  const resolvedTarget = await resolveTarget(tx, viewer, {
    ...input,
    now: identity.createdAt,
    write: writeInvocations(identity, { sent, below }),
    idLimit: ANNOUNCED_AT_ONCE,
  });
  const { agreement } = input;
  await requireAgreed(tx, viewer, { agreement, resolvedTarget });
  input.requireAuthorizedDevices?.(resolvedTarget.ids);
  if (input.confirmation !== null)
    requireConfirmation(consequence, resolvedTarget, input.confirmation);
  const held =
    approvalNeeded(rule, { consequence, count: resolvedTarget.count, agreement }) !== 'none';
  const sentCount = held
    ? 0
    : { all: resolvedTarget.ready, first: Math.min(1, resolvedTarget.ready), none: 0 }[sent];
  const content = await withOlderValues(tx, deps.vault, {
    given: input.store,
    at: identity.createdAt,
  });
  const run = newRun(deps, viewer, {
    ...input,
    resolvedTarget,
    identity,
    held,
    sentCount,
    content,
  });
  if (!(await insertRun(tx, run))) throw new DuplicateRun();
  const { resolved, values } = input;
  const changes = held ? await holdRun(tx, deps, run) : [];
  const { ids, deviceIds } = resolvedTarget;
  // This process hashes the devices while the database records their events; `signRun` waits for it.
  if (!held) void deps.signing.trees.of(run.id, async () => ids).catch(() => {});
  await recordRequest(tx, viewer, { ...input, run, deviceIds });
  if (!held) await signRun(tx, deps, { run, resolved, values, store: content, deviceIds: ids });
  return { run, deviceIds, ids, changes };
}

function recordRequest(
  tx: Transaction,
  viewer: Viewer,
  {
    run,
    deviceIds,
    origin,
    store,
  }: Pick<CreateRun, 'origin' | 'store'> & Pick<CreatedRun, 'run' | 'deviceIds'>,
): Promise<void> {
  return recordAuditForDevices(tx, {
    type: 'command.requested',
    actor: actorOf(viewer, origin),
    requestId: origin.requestId,
    runId: run.id,
    at: run.createdAt,
    onlyDeviceId: run.targetCount === 1 ? (deviceIds[0] ?? null) : null,
    data: {
      runId: run.id,
      command: run.command,
      document: `${run.documentName}:${run.documentVersion}`,
      consequence: run.consequence,
      parameters: run.maskedParameters,
      targets: run.targetCount,
      comment: run.comment,
      ...(run.held ? { needsApproval: true } : {}),
      ...subDocumentNames(run),
      ...storeNames(store),
      ...(run.undoesRunId === null ? {} : { undoes: run.undoesRunId }),
    },
    devices: invocationsOf(run),
  });
}

/** An undo is allowed regardless of the number of open runs. */
async function requireRoomForRun(
  tx: Transaction,
  { userId }: Viewer,
  { isWave = false, undoes }: Pick<CreateRun, 'isWave' | 'undoes'>,
): Promise<void> {
  if (isWave || undoes !== null) return;
  await requireRoom(tx, { limit: 'openRuns', of: userId, existing: openRunsOf(userId) });
}

const protocolOf = ({ resolved, values, store, undoes }: CreateRun): number =>
  neededProtocol({
    content: { ...resolved.document.parsed },
    parameters: values,
    hasSubDocuments: resolved.subDocuments.length > 0,
    hasStoreValues: Object.keys(store).length > 0,
    isUndo: undoes !== null,
  });

/**
 * The ramp starts with one device, except if concurrency is not limited. A run that not every agent can run is sent only
 * after its devices have been checked.
 */
function sentAtOnce({ sendNew }: Pick<RunDeps, 'sendNew'>, input: CreateRun): SentAtOnce {
  if (sendNew === undefined || protocolOf(input) > 1) return 'none';
  return input.maxConcurrency === '100%' ? 'all' : 'first';
}

function announce(deps: RunDeps, { run, deviceIds, ids, changes }: CreatedRun): void {
  if (run.sentCount > 0) deps.sendNew?.(run.id);
  deps.changes.publish([
    { kind: 'run-created', runId: run.id },
    { kind: 'audit-trail', deviceIds },
    ...changes,
  ]);
  void announceOthers(deps, ids, deviceIds.length);
}

/** Announces the run to viewers of the devices after the first ones, so that other work is done between the groups. */
async function announceOthers({ changes }: RunDeps, ids: Buffer, from: number): Promise<void> {
  try {
    for (const deviceIds of deviceIdGroups(ids, { from, size: ANNOUNCED_AT_ONCE })) {
      await setImmediate();
      changes.publish([{ kind: 'audit-trail', deviceIds }]);
    }
  } catch {
    // Lost announcements are acceptable, because every screen also polls.
  }
}

type RunIdentity = Pick<NewRun, 'id' | 'createdAt' | 'deliverBefore' | 'expiresAt'>;

function newIdentity(createdAt: Date, timeoutSeconds: number): RunIdentity {
  return { id: newId(createdAt.getTime()), createdAt, ...timesOf(createdAt, timeoutSeconds) };
}

/** Names and versions of the sub-documents. */
function subDocumentNames({ subDocuments }: Pick<NewRun, 'subDocuments'>): object {
  const names = subDocuments.map(({ name, version }) => `${name}:${version}`);
  return names.length === 0 ? {} : { subDocuments: [...new Set(names)] };
}

/** Names and versions of the parameter store values; never the values. */
function storeNames(store: GivenByStore): { readonly storeParameters?: readonly string[] } {
  const names = Object.values(store).map(({ name, version }) => `${name}:${version}`);
  return names.length === 0 ? {} : { storeParameters: [...new Set(names)] };
}

function newRun(
  deps: Pick<CommandsDeps, 'vault'>,
  viewer: Viewer,
  input: CreateRun & {
    readonly resolvedTarget: ResolvedTarget;
    readonly identity: RunIdentity;
    readonly held: boolean;
    readonly sentCount: number;
    readonly content: StoreContent;
  },
): NewRun {
  const { resolved, resolvedTarget, values, identity } = input;
  const { document } = resolved;
  const endsAt = approvalEndsAt(identity.createdAt);
  return {
    ...identity,
    ...(input.held ? { deliverBefore: endsAt, expiresAt: endsAt } : {}),
    held: input.held,
    idempotencyKey: input.idempotencyKey,
    command: resolved.command,
    documentName: document.name,
    documentVersion: document.version,
    documentSha256: document.sha256,
    consequence: resolved.consequence,
    parameters: sealStore(
      deps.vault,
      {
        id: identity.id,
        parameters: deps.vault.seal(identity.id, values, document.secretParameters),
      },
      input.content,
    ),
    maskedParameters: maskParameters(values, document.secretParameters),
    target: resolvedTarget.summary,
    targetSha256: resolvedTarget.sha256,
    maxConcurrency: input.maxConcurrency,
    maxErrors: input.maxErrors,
    timeoutSeconds: input.timeoutSeconds,
    subDocuments: resolved.subDocuments.map(({ reference, name, version, sha256 }) => ({
      reference,
      name,
      version,
      sha256,
    })),
    executionTimeoutSeconds: DEFAULT_EXECUTION_TIMEOUT_SECONDS,
    comment: input.comment,
    caseId: input.origin.caseId ?? null,
    targetCount: resolvedTarget.count,
    sentCount: input.sentCount,
    createdById: viewer.userId,
    createdBy: viewer.username,
    apiTokenId: viewer.apiToken?.id ?? null,
    requestId: input.origin.requestId,
    undoesRunId: input.undoes,
    protocol: protocolOf(input),
  };
}
