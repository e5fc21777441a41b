import { PortalError } from '@deviceportal/contract/errors';
import { keptParameters } from '../../commands/parameters/kept-parameters.ts';
import { canonicalJson } from '../../commands/effect/canonical-json.ts';
import { effectDocument } from '../../commands/effect/effect-document.ts';
import { effectSubDocuments } from '../../commands/effect/planned-effect-of.ts';
import { AuthorizationMismatchError } from '../../commands/signing/authorization-mismatch-error.ts';
import type { ResolvedCommand } from '../../commands/catalog/resolve-command.ts';
import { cancelRun } from '../../commands/cancel-run.ts';
import { previewTarget } from '../../commands/target/preview-target.ts';
import { runCommand } from '../../commands/run-command.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepRow } from '../data/step-queries.ts';
import { verifyReference } from '../plan/plan-effect.ts';
import { openStoreParameters } from '../plan/store-parameters.ts';
import { setRunOfTargets } from '../data/targets/target-set-queries.ts';
import { findRunOfWave, updateWave, type WaveRow } from '../data/waves/wave-queries.ts';

/** The user who started a step, with their permissions at that time. Sending checks their current permissions. */
export function starterOf(step: Pick<StepRow, 'startedAs'>): Viewer {
  const { startedAs } = step;
  if (startedAs.userId === undefined) throw new Error('the step has no stored starter');
  return { ...startedAs, signedInAt: new Date(startedAs.signedInAt) };
}

/** Waves are sent for the rollout, not for an API request. */
export const originOf = (run: AirBlastRecord): RequestOrigin => ({
  requestId: `air-blast-${run.id}`,
  address: 'air-blast',
});

interface Wave {
  readonly run: AirBlastRecord;
  readonly step: StepRow;
  readonly wave: WaveRow;
}

/**
 * Sends an open wave as one command run. The run's key was stored before, so a restarted or concurrent server finds
 * the same run.
 *
 * @throws PortalError if the command is rejected: its document is deprecated, or its devices no longer exist
 */
export async function sendWave(deps: AirBlastDeps, { run, step, wave }: Wave): Promise<void> {
  const viewer = starterOf(step);
  const verifies = wave.kind === 'verify';
  const command = verifies ? 'document' : run.command;
  const document = verifies
    ? (verifyReference(run) ?? '')
    : `${run.documentName}:${run.documentVersion}`;
  const target = { kind: 'devices' as const, deviceIds: wave.deviceIds };
  const kept = openStoreParameters(deps.vault, run, run.storeParameters);
  const parameters = keptParameters(deps.parameters, kept);
  // Creating the run sends nothing: the dispatcher first checks the current permissions of the user.
  const sent = await runCommand({ ...deps, parameters, sendNew: undefined }, viewer, {
    command,
    document,
    target,
    agreement: { kind: 'planned' },
    parameters: verifies ? {} : { ...deps.vault.open(run.id, run.parameters) },
    maxConcurrency: run.options.maxConcurrency,
    maxErrors: verifies ? '100%' : (wave.maxErrors ?? '0'),
    timeoutSeconds: run.options.timeoutSeconds,
    comment: `AirBlast: ${run.name}`.slice(0, 100),
    confirmation: await confirmationOf(deps, viewer, { command, document, target }),
    idempotencyKey: wave.runKey,
    isWave: true,
    requireAuthorized: (resolved) => requirePlanned(run, resolved, verifies),
    origin: originOf(run),
  });
  await inTransaction(deps.database, async (tx) => {
    await updateWave(tx, wave, { runId: sent.id });
    await setRunOfTargets(tx, run, { id: sent.id, kind: wave.kind, deviceIds: wave.deviceIds });
  });
}

/** Checks that the documents to be signed are those of the plan. */
function requirePlanned(
  { effect }: AirBlastRecord,
  resolved: ResolvedCommand,
  verifies: boolean,
): void {
  const own = effectDocument(resolved.document);
  const subs = effectSubDocuments(resolved);
  const planned = verifies ? effect?.verification : [effect?.document, effect?.subDocuments];
  if (canonicalJson(planned) === canonicalJson(verifies ? [own, ...subs] : [own, subs])) return;
  throw new AuthorizationMismatchError({ fault: 'changed', changed: ['document'] });
}

/** The approval and the typed count of the rollout replace the confirmation of each command. */
async function confirmationOf(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: {
    readonly command: string;
    readonly document: string;
    readonly target: { readonly kind: 'devices'; readonly deviceIds: string[] };
  },
): Promise<string> {
  const { count, sample } = await previewTarget(deps, viewer, input);
  const isSingle = input.target.deviceIds.length === 1;
  return isSingle ? (sample[0]?.serialNumber ?? '') : String(count);
}

/** Cancels a wave of an aborted rollout. False until all devices have answered. */
export async function cancelWave(deps: AirBlastDeps, { run, step, wave }: Wave): Promise<boolean> {
  const sent = await findRunOfWave(deps.database.orm, wave, step.operatorId);
  if (sent === undefined || sent.ended) return true;
  await cancelRun(deps, starterOf(step), { id: sent.id, origin: originOf(run) });
  return false;
}

/** Whether a command was rejected permanently, so that a retry is useless. */
export const isRefusal = (error: unknown): error is PortalError =>
  error instanceof PortalError && error.httpStatus < 500;
