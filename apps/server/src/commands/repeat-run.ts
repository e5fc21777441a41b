import type { SQL } from 'drizzle-orm';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import type { ParameterValues } from './parameters/parameter-vault.ts';
import { runCommand } from './run-command.ts';
import type { StoredRun } from './data/runs/run-queries.ts';
import { openStore } from './parameters/store-vault.ts';
import { AuthorizationMismatchError } from './signing/authorization-mismatch-error.ts';
import { refuseMismatch } from './signing/refuse-mismatch.ts';
import type { TargetAgreement } from './target/target-agreement.ts';
import { readSignedRun, storedRunMismatch } from './signing/stored-run-mismatch.ts';

export interface RepeatRun {
  /** A query for the IDs of devices, as `id`, each once. */
  readonly select: SQL;
  readonly agreement: TargetAgreement;
  readonly comment: string;
  readonly confirmation: string;
  readonly idempotencyKey: string;
  readonly undoes: string | null;
  readonly whenLocked?: WhenLocked;
  readonly origin: RequestOrigin;
}

/**
 * Creates a run from a stored one, including secret parameters, only if the stored run equals in every part the signed
 * one. Otherwise nothing is signed, and the mismatch is recorded and users are notified.
 *
 * @throws PortalError errors of `runCommand`; 2004 with fact `reason: authorization-mismatch`
 */
export async function repeatRun(
  deps: CommandsDeps,
  viewer: Viewer,
  run: StoredRun,
  input: RepeatRun,
): Promise<RunDetail> {
  const signed = await readSignedRun(deps, run.id);
  const found = { kind: 'run', id: run.id, name: run.command } as const;
  const request = { viewer, origin: input.origin };
  return refuseMismatch(deps, { ...found, request }, async () => {
    const values = openValues(deps, run);
    return runCommand(deps, viewer, {
      ...input,
      command: run.command,
      document: `${run.documentName}:${run.documentVersion}`,
      target: { kind: 'selected', select: input.select },
      parameters: { ...values },
      maxConcurrency: run.maxConcurrency,
      maxErrors: run.maxErrors,
      timeoutSeconds: run.timeoutSeconds,
      requireAuthorized: (resolved) => {
        const mismatch =
          'fault' in signed ? signed : storedRunMismatch(deps, signed, { run, values, resolved });
        if (mismatch !== null) throw new AuthorizationMismatchError(mismatch);
      },
      requireAuthorizedDevices: (deviceIds) => {
        if ('fault' in signed) throw new AuthorizationMismatchError(signed);
        if (signed.covers(deviceIds)) return;
        throw new AuthorizationMismatchError({ fault: 'changed', changed: ['devices'] });
      },
    });
  });
}

function openValues({ vault }: CommandsDeps, { id, parameters }: StoredRun): ParameterValues {
  try {
    openStore(vault, { id, parameters });
    return vault.open(id, parameters);
  } catch {
    throw new AuthorizationMismatchError({ fault: 'changed', changed: ['parameters'] });
  }
}
