import type { Executor } from '../../platform/database/database.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { summarizeOpenDevices } from '../data/runs/run-approval-queries.ts';
import { canonicalJson } from '../effect/canonical-json.ts';
import type { PlannedEffect } from '../effect/planned-effect.ts';
import { plannedEffectOf } from '../effect/planned-effect-of.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { openStore, type StoreContent } from '../parameters/store-vault.ts';

/** The fields of a stored run that determine its effect. */
export interface EffectOfRun {
  readonly id: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly undoesRunId: string | null;
}

/** The effect of a run from current data: its documents, its secret values, and its remaining devices. */
export interface CurrentRun {
  readonly resolved: ResolvedCommand;
  readonly values: ParameterValues;
  readonly store: StoreContent;
  /** 16 bytes each, sorted by ID. */
  readonly deviceIds: Buffer;
  readonly effect: PlannedEffect;
}

/**
 * Reads the current effect of a run from the database.
 *
 * @throws PortalError if the document no longer exists
 */
export async function readCurrentRun(
  executor: Executor,
  { vault }: Pick<CommandsDeps, 'vault'>,
  run: EffectOfRun,
): Promise<CurrentRun> {
  const reference = `${run.documentName}:${run.documentVersion}`;
  const resolved = await resolveCommand(executor, run.command, reference);
  const values = vault.open(run.id, run.parameters);
  const store = openStore(vault, run);
  const { ids, ...devices } = await summarizeOpenDevices(executor, run.id);
  const digest = (name: string, value: unknown): string =>
    vault.fingerprint(['run approval', run.id, name, canonicalJson(value)].join('\n'));
  return {
    ...{ resolved, values, store },
    deviceIds: ids,
    effect: plannedEffectOf({
      ...{ resolved, values, devices },
      verification: null,
      digestSecret: digest,
      storeParameters: Object.entries(store).map(
        ([reference_, { value }]) => `${reference_}:${digest(reference_, value)}`,
      ),
      strategy: {
        maxConcurrency: run.maxConcurrency,
        maxErrors: run.maxErrors,
        timeoutSeconds: run.timeoutSeconds,
        undoes: run.undoesRunId,
      },
    }),
  };
}
