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
import { openPlanStore } from '../plan/plan-store.ts';
import { setRunOfTargets } from '../data/targets/target-set-queries.ts';
import { findRunOfWave, updateWave, type WaveRow } from '../data/waves/wave-queries.ts';

/** Who started the step, with the rights of that moment: enough to make a wave, and to cancel one; not to send it. */
export function starterOf(step: Pick<StepRow, 'startedAs'>): Viewer {
  const { startedAs } = step;
  if (startedAs.userId === undefined) throw new Error('the step has no stored starter');
  return { ...startedAs, signedInAt: new Date(startedAs.signedInAt) };
}

/** What a wave does, it does for its run, not for a request of the moment. */
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
 * Sends an opened wave as one command run. The run's key was chosen before: a server that ended after making it,
 * or another server at the same moment, finds the same run.
 *
 * @throws PortalError when the command is refused: its document was taken out of use, its devices are gone
 */
export async function sendWave(deps: AirBlastDeps, { run, step, wave }: Wave): Promise<void> {
  const viewer = starterOf(step);
  const verifies = wave.kind === 'verify';
  const command = verifies ? 'document' : run.command;
  const document = verifies
    ? (verifyReference(run) ?? '')
    : `${run.documentName}:${run.documentVersion}`;
  const target = { kind: 'devices' as const, deviceIds: wave.deviceIds };
  const kept = openPlanStore(deps.vault, run, run.storeParameters);
  const parameters = keptParameters(deps.parameters, kept);
  // Nothing is sent with the run itself: the dispatcher looks whether the starter still holds the right.
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

/** The documents that are about to be signed, as they were read for it, are those of the plan. */
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

/** The approval and the typed count of the run stand for the count that each command would ask for. */
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

/** Ends what an aborted run has under way. False while devices have not answered yet. */
export async function cancelWave(deps: AirBlastDeps, { run, step, wave }: Wave): Promise<boolean> {
  const sent = await findRunOfWave(deps.database.orm, wave, step.operatorId);
  if (sent === undefined || sent.ended) return true;
  await cancelRun(deps, starterOf(step), { id: sent.id, origin: originOf(run) });
  return false;
}

/** Whether a command is refused for good: asking again would be refused again. */
export const isRefusal = (error: unknown): error is PortalError =>
  error instanceof PortalError && error.httpStatus < 500;
