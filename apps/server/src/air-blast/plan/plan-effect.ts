import type { Executor } from '../../platform/database/database.ts';
import { canonicalJson } from '../../commands/effect/canonical-json.ts';
import type { PlannedEffect } from '../../commands/effect/planned-effect.ts';
import { plannedEffectOf } from '../../commands/effect/planned-effect-of.ts';
import { targetSha256 } from '../../commands/target/resolve-target.ts';
import { resolveCommand } from '../../commands/catalog/resolve-command.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { labelOf } from './store-parameters.ts';
import { selectTargetSet } from '../data/targets/target-set-queries.ts';

/** Digests are bound to a rollout: equal secrets of two rollouts have different digests. */
export const secretDigestOf =
  (sign: AirBlastDeps['signApproval'], id: string) =>
  (name: string, value: unknown): string =>
    sign(digestText(id, name, value));

const digestText = (id: string, name: string, value: unknown): string =>
  ['secret', id, name, canonicalJson(value)].join('\n');

/** The rollout strategy, with the target version. The verification document is covered by its own digest. */
export function strategyOf({
  component,
  version,
  options: { verifyDocument: _digested, ...options },
}: Pick<AirBlastRecord, 'component' | 'version' | 'options'>): PlannedEffect['strategy'] {
  return { ...options, component, version };
}

/**
 * Everything that the rollout would execute now, read again: documents in the database, sealed parameters, devices.
 *
 * @throws PortalError if a document no longer exists
 */
export async function currentEffect(
  executor: Executor,
  deps: Pick<AirBlastDeps, 'vault' | 'approvalSignatures'>,
  run: AirBlastRecord,
): Promise<PlannedEffect> {
  const reference = `${run.documentName}:${run.documentVersion}`;
  const verifies = verifyReference(run);
  const deviceIds = await selectTargetSet(executor, run);
  return plannedEffectOf({
    resolved: await resolveCommand(executor, run.command, reference),
    verification: verifies === null ? null : await resolveCommand(executor, 'document', verifies),
    values: deps.vault.open(run.id, run.parameters),
    digestSecret: (name, value) => {
      const digests = deps.approvalSignatures(digestText(run.id, name, value));
      // The plan can be older than the current key.
      return digests.find((one) => one === run.effect?.secretDigests[name]) ?? digests[0] ?? '';
    },
    storeParameters: run.storeParameters.map(labelOf),
    devices: { sha256: targetSha256(deviceIds), count: deviceIds.length },
    strategy: strategyOf(run),
  });
}

/** The verification document in the planned version; null without one. */
export function verifyReference({ effect, options }: AirBlastRecord): string | null {
  if (options.verifyDocument === null) return null;
  const planned = effect?.verification[0];
  return planned === undefined ? options.verifyDocument : `${planned.name}:${planned.version}`;
}
