import type { z } from 'zod';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type {
  rerunCommandInput,
  rerunReferenceInput,
  RunDetail,
} from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { devicesToRerun } from './data/devices-of-run.ts';
import { findFirstChosen } from './data/target-queries.ts';
import { previewTarget } from './target/preview-target.ts';
import { requireWholeRun } from './require-whole-run.ts';
import { permissionsToRun } from './run-policy.ts';
import { runnableOf } from './runnable-of-run.ts';
import { repeatRun } from './repeat-run.ts';
import { findStoredRun } from './data/runs/run-queries.ts';
import type { TargetAgreement } from './target/target-agreement.ts';

type RerunReference = Omit<z.infer<typeof rerunReferenceInput>, 'whenLocked'> & {
  /** Absent: queued behind other changes. */
  readonly whenLocked?: WhenLocked;
};

export interface RerunCommand extends Omit<
  z.infer<typeof rerunCommandInput>,
  'whenLocked' | 'targetSha256' | 'targetCount'
> {
  readonly agreement: TargetAgreement;
  readonly whenLocked?: WhenLocked;
  readonly origin: RequestOrigin;
}

/**
 * Runs the same document version with the same parameters, including secret ones, on the same devices, on the failed
 * ones, or on those with one distinct output. Permissions, states, and confirmation are checked as for any run.
 *
 * @throws PortalError 5000 if the run does not exist; 4001 if no device is left; errors of `repeatRun`
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
    ...(input.whenLocked !== undefined && { whenLocked: input.whenLocked }),
    origin: input.origin,
  });
}

/**
 * The current target devices of a rerun, and the excluded ones with their reasons.
 *
 * @throws PortalError 5000 if the run does not exist; 1000 if the run contains devices outside the viewer's scope; 4001
 * if no device is left
 */
export async function previewRerun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: RerunReference,
): Promise<TargetPreview> {
  const { run, command, document, target } = await findRerun(deps, viewer, input);
  const { whenLocked = 'queue' } = input;
  return previewTarget(deps, viewer, {
    ...{ command, document, target, whenLocked },
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
  const target = {
    kind: 'selected' as const,
    select: devicesToRerun({
      runId: run.id,
      onlyFailed: input.onlyFailed,
      answer: input.answer,
      // Both scopes, because a run is visible with one visible device, and its other devices must stay hidden.
      scopes: [
        scopesOf(viewer.grants, ['devices:read']),
        scopesOf(viewer.grants, ['commands:read']),
      ],
    }),
  };
  if ((await findFirstChosen(deps.database.orm, target, 1)).length === 0) {
    throw new PortalError('commandHasNoDevice', { facts: { runId: run.id } });
  }
  return {
    run,
    command: run.command,
    document: `${run.documentName}:${run.documentVersion}`,
    target,
  };
}
