import type { Executor } from '../../platform/database/database.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { summarizeOpenDevices } from '../data/runs/run-approval-queries.ts';
import { canonicalJson } from '../effect/canonical-json.ts';
import type { PlannedEffect } from '../effect/planned-effect.ts';
import { plannedEffectOf } from '../effect/planned-effect-of.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { openStore, type StoreContent } from '../parameters/store-vault.ts';

/** A run as it is kept, as far as it says what will happen. */
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

/** What a run does, read anew: its documents, its sealed values and the devices that are left. */
export interface CurrentRun {
  readonly resolved: ResolvedCommand;
  readonly values: ParameterValues;
  readonly store: StoreContent;
  /** 16 bytes each, in the order of ids. */
  readonly deviceIds: Buffer;
  readonly effect: PlannedEffect;
}

/**
 * Everything that will happen when the run is sent, from what the database says now.
 *
 * @throws PortalError when the document does not exist any more
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
