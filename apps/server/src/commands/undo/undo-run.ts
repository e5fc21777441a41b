import type { z } from 'zod';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type {
  previewUndoInput,
  undoReferenceInput,
  undoRunInput,
  UndoHindrance,
  UndoOffer,
} from '@deviceportal/contract/run-undo';
import type { LockHolderRun, WhenLocked } from '@deviceportal/contract/change-locks';
import type { RunDetail } from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { findLockHolders } from '../data/change-lock-queries.ts';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { previewTarget } from '../target/preview-target.ts';
import { reachesWholeRun, requireWholeRun } from '../require-whole-run.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { repeatRun } from '../repeat-run.ts';
import { findRunByKey } from '../data/runs/run-insert-queries.ts';
import { mayRunAnywhere, missingPermission, permissionsToRun } from '../run-policy.ts';
import { findStoredRun, type StoredRun } from '../data/runs/run-queries.ts';
import { cannotBeUndone } from './lock-undo.ts';
import type { TargetAgreement } from '../target/target-agreement.ts';
import {
  openDevices,
  selectEffect,
  selectUndoingRuns,
  type Effect,
  type EffectQuery,
} from '../data/undo-queries.ts';

type UndoReference = z.infer<typeof undoReferenceInput>;

export interface UndoRun extends Omit<
  z.infer<typeof undoRunInput>,
  'whenLocked' | 'targetSha256' | 'targetCount'
> {
  readonly agreement: TargetAgreement;
  /** Absent: queued. */
  readonly whenLocked?: WhenLocked;
  readonly origin: RequestOrigin;
}

/**
 * Whether a run can be undone on the visible devices, and what the undo would do.
 *
 * @throws PortalError 5000 if the run does not exist
 */
export async function getUndoOffer(
  deps: CommandsDeps,
  viewer: Viewer,
  input: UndoReference,
): Promise<UndoOffer> {
  const undo = await findUndo(deps, viewer, input);
  const { run, resolved, effect } = undo;
  const { document } = resolved;
  const allowed =
    mayRunAnywhere(viewer.grants, resolved) &&
    (input.deviceId !== null ||
      (await reachesWholeRun(
        deps.database.orm,
        scopesOf(viewer.grants, permissionsToRun(resolved)),
        run.id,
      )));
  const undoneBy = await selectUndoingRuns(deps.database.orm, run.id);
  return {
    runId: run.id,
    command: run.command,
    documentName: document.name,
    documentVersion: document.version,
    consequence: resolved.consequence,
    parameters: run.maskedParameters,
    secretParameters: document.secretParameters,
    steps: document.phases.undo ?? [],
    count: effect.open,
    sample: effect.sample,
    busy: await findLockingRuns(deps, viewer, undo),
    hindrance: undo.hindrance,
    allowed,
    missingPermission: allowed ? null : missingPermission(resolved),
    undoneBy: undoneBy.map(({ runId, by, at }) => ({
      runId,
      by: maskUser(by, viewer),
      at: isoOf(at),
    })),
  };
}

/**
 * The current target devices of an undo, and the excluded ones with their reasons.
 *
 * @throws PortalError 5000 if the run does not exist; 1000 if the run contains devices outside the viewer's scope; 2004
 * if there is nothing to undo
 */
export async function previewUndo(
  deps: CommandsDeps,
  viewer: Viewer,
  input: z.infer<typeof previewUndoInput>,
): Promise<TargetPreview> {
  const { run, resolved, query, hindrance } = await findUndo(deps, viewer, input);
  if (input.deviceId === null)
    await requireWholeRun(deps.database.orm, viewer, whole(run, resolved));
  if (hindrance !== null) throw cannotBeUndone(run.id, hindrance);
  return previewTarget(deps, viewer, {
    ...documentOf(run),
    target: { kind: 'selected', select: openDevices(query) },
    whenLocked: input.whenLocked,
    isUndo: true,
  });
}

/**
 * Undoes a run with the same version and parameters, including secret ones, on the devices on which it took effect and
 * was not undone yet. Permissions and confirmation are those of the document. The version can be deprecated, because it
 * was reviewed for the run.
 *
 * @throws PortalError 5000 if the run does not exist; 2004 if there is nothing to undo (facts: `hindrance`); errors of
 * `repeatRun`
 */
export async function undoRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: UndoRun,
): Promise<RunDetail> {
  const { run, resolved, query, hindrance } = await findUndo(deps, viewer, input);
  // For one individually selected device, permission on that device is sufficient; `runCommand` checks it.
  if (input.deviceId === null)
    await requireWholeRun(deps.database.orm, viewer, whole(run, resolved));
  // A repeated request returns the undo that it has already created.
  const existing = await findRunByKey(deps.database.orm, viewer.userId, input.idempotencyKey);
  if (hindrance !== null && existing === undefined) throw cannotBeUndone(run.id, hindrance);
  return repeatRun(deps, viewer, run, {
    select: openDevices(query),
    agreement: input.agreement,
    comment: input.comment,
    confirmation: input.confirmation,
    idempotencyKey: input.idempotencyKey,
    undoes: run.id,
    ...(input.whenLocked !== undefined && { whenLocked: input.whenLocked }),
    origin: input.origin,
  });
}

const documentOf = ({ command, documentName, documentVersion }: StoredRun) => ({
  command,
  document: `${documentName}:${documentVersion}`,
});

const whole = (run: StoredRun, resolved: ResolvedCommand) => ({
  runId: run.id,
  permissions: permissionsToRun(resolved),
});

async function findLockingRuns(
  { database }: CommandsDeps,
  viewer: Viewer,
  { resolved, query, effect }: FoundUndo,
): Promise<LockHolderRun[]> {
  if (resolved.consequence === 'reads' || effect.open === 0) return [];
  const busy = await findLockHolders(database.orm, openDevices(query), viewer.userId);
  return busy.map((run) => ({ ...run, holder: maskUser(run.holder, viewer) }));
}

interface FoundUndo {
  readonly run: StoredRun;
  readonly resolved: ResolvedCommand;
  readonly query: EffectQuery;
  readonly effect: Effect;
  readonly hindrance: UndoHindrance | null;
}

const nothing: Effect = { affected: 0, open: 0, sample: [] };

async function findUndo(
  { database }: CommandsDeps,
  viewer: Viewer,
  { runId, deviceId }: UndoReference,
): Promise<FoundUndo> {
  const read = scopesOf(viewer.grants, ['commands:read']);
  const run = await findStoredRun(database.orm, runId, read);
  if (run === undefined) throw new PortalError('invocationNotFound', { facts: { runId } });
  const reference = `${run.documentName}:${run.documentVersion}`;
  const resolved = await resolveCommand(database.orm, run.command, reference);
  const { phases, parsed } = resolved.document;
  const scopes = [read, scopesOf(viewer.grants, ['devices:read'])];
  const query = { runId, deviceId, phases, mainSteps: parsed.mainSteps.length, scopes };
  // Most documents have no undo steps, so their devices are not queried.
  const never = run.undoes !== null ? 'is-undo' : phases.undo === undefined ? 'no-undo' : null;
  if (never !== null) return { run, resolved, query, effect: nothing, hindrance: never };
  const effect = await selectEffect(database.orm, query);
  return { run, resolved, query, effect, hindrance: hindranceOf(effect) };
}

function hindranceOf({ affected, open }: Effect): UndoHindrance | null {
  if (affected === 0) return 'no-effect';
  return open === 0 ? 'undone' : null;
}
