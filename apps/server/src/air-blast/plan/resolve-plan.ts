import type {
  AirBlastChange,
  AirBlastOptions,
  PlanAirBlastInput,
} from '@deviceportal/contract/air-blast';
import { PortalError } from '@deviceportal/contract/errors';
import { findRunRule } from '../../commands/approval/find-run-rule.ts';
import { maskParameters } from '../../commands/parameters/parameter-vault.ts';
import { limitOf } from '../../commands/execution/run-state-machine.ts';
import { furtherReaching, type Consequence } from '@deviceportal/contract/permissions';
import { effectSha256 } from '../../commands/effect/effect-sha256.ts';
import type { PlannedEffect } from '../../commands/effect/planned-effect.ts';
import { plannedEffectOf } from '../../commands/effect/planned-effect-of.ts';
import { requireAllActive } from '../../commands/catalog/require-active.ts';
import { resolveCommand, type ResolvedCommand } from '../../commands/catalog/resolve-command.ts';
import { requireRight } from '../../commands/run-command.ts';
import { targetSha256 } from '../../commands/target/resolve-target.ts';
import { prepareChange, type PreparedChange } from '../../commands/prepare-change.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { rolloutApproval } from '@deviceportal/contract/rollout-approval';
import { canaryCount, waveSizes } from '@deviceportal/contract/wave-sizes';
import { refuse } from '@deviceportal/contract/refuse';
import { secretDigestOf, strategyOf } from './plan-effect.ts';
import { labelOf, sealStoreParameters } from './store-parameters.ts';
import { insertTargets } from '../data/targets/target-set-queries.ts';
import { measureRadius } from '../data/targets/measure-radius.ts';
import {
  findDevicesOnVersion,
  findSoftware,
  isComponentKnown,
} from '../../versions/data/known-versions.ts';

type Plan = Pick<PlanAirBlastInput, 'name' | 'reason' | 'change' | 'target' | 'options'>;

/** A plan with its target set and everything else that is resolved when it is created. */
export interface ResolvedPlan {
  readonly prepared: PreparedChange;
  readonly devices: readonly { readonly deviceId: string; readonly exclusion: string | null }[];
  readonly targetCount: number;
  readonly targetSha256: string;
  readonly needsApproval: boolean;
  /** Destructive changes are approved before the canary stage, because canaries are devices, too. */
  readonly approvalFirst: boolean;
  readonly consequence: Consequence;
  readonly verification: ResolvedCommand | null;
  readonly predictedDurationMs: number | null;
  readonly component: string | null;
  readonly version: string | null;
}

/**
 * Resolves the devices that a change will reach, and the reasons why others are excluded.
 *
 * @throws PortalError like `prepareChange`; 2004 for a version that is not approved, or an unknown component
 */
export async function resolvePlan(
  deps: AirBlastDeps,
  viewer: Viewer,
  plan: Plan,
): Promise<ResolvedPlan> {
  const { change } = plan;
  if (change.kind === 'version') await requireVersionAllowed(deps, change);
  const prepared = await prepareChange(deps, viewer, { ...commandOf(change), target: plan.target });
  const verification = await resolveVerification(deps, viewer, plan.options);
  const consequence = furtherReaching(prepared.consequence, verification?.consequence ?? 'reads');
  const reached = prepared.devices.flatMap((one) => (one.exclusion === null ? [one.deviceId] : []));
  const there =
    change.kind === 'version'
      ? await findDevicesOnVersion(deps.database.orm, reached, change)
      : new Set<string>();
  const devices = prepared.devices.map(({ deviceId, exclusion }) => ({
    deviceId,
    exclusion: exclusion ?? (there.has(deviceId) ? 'already-installed' : null),
  }));
  const left = reached.filter((id) => !there.has(id));
  if (left.length === 0) {
    throw new PortalError('commandHasNoDevice', { facts: { matched: devices.length } });
  }
  return {
    prepared,
    devices,
    targetCount: left.length,
    targetSha256: targetSha256(left),
    ...(await approvalOf(deps, { consequence, devices: left.length, options: plan.options })),
    consequence,
    verification,
    predictedDurationMs: predictDurationMs(prepared.typicalDurationMs, left.length, plan.options),
    component: change.kind === 'version' ? change.component : null,
    version: change.kind === 'version' ? change.version : null,
  };
}

async function approvalOf(
  { database, approvalDevices }: AirBlastDeps,
  plan: {
    readonly consequence: Consequence;
    readonly devices: number;
    readonly options: AirBlastOptions;
  },
): Promise<Pick<ResolvedPlan, 'needsApproval' | 'approvalFirst'>> {
  const { consequence, devices, options } = plan;
  const rule = await findRunRule(database.orm, consequence);
  const canaries = canaryCount(devices, options.canaryPercent);
  return rolloutApproval(
    { approvalDevices, runsFrom: rule?.approvalFrom ?? null },
    { consequence, devices, canaries },
  );
}

/** The verification document in its current version, which runs even if another becomes the default. */
async function resolveVerification(
  { database }: AirBlastDeps,
  viewer: Viewer,
  { verifyDocument }: AirBlastOptions,
): Promise<ResolvedCommand | null> {
  if (verifyDocument === null) return null;
  const resolved = await resolveCommand(database.orm, 'document', verifyDocument);
  requireRight(viewer, resolved);
  await requireAllActive(database.orm, resolved);
  return resolved;
}

/** The command of the catalog that sends a change. */
function commandOf(change: AirBlastChange) {
  if (change.kind === 'document') {
    return { command: 'document', document: change.document, parameters: change.parameters };
  }
  const { component, version, source, sha256 } = change;
  return {
    command: 'software/install',
    document: '',
    parameters: { component, version, source, sha256 },
  };
}

async function requireVersionAllowed(
  { database }: AirBlastDeps,
  change: { readonly component: string; readonly version: string },
): Promise<void> {
  const known = await findSoftware(database.orm, change);
  if (known?.state === 'approved') return;
  if (known === undefined) {
    if (await isComponentKnown(database.orm, change.component)) return;
    throw refuse('component-unknown', {
      field: ['change', 'component'],
      facts: { component: change.component },
    });
  }
  throw refuse('version-not-approved', {
    field: ['change', 'version'],
    facts: { component: change.component, version: change.version, state: known.state },
  });
}

/** The typical duration of the document, once for each batch of concurrent devices. */
function predictDurationMs(
  typicalMs: number | null,
  devices: number,
  options: AirBlastOptions,
): number | null {
  if (typicalMs === null) return null;
  const canaries = canaryCount(devices, options.canaryPercent);
  const batches = [canaries, ...waveSizes(devices - canaries, options.wavePercents)].map((size) =>
    Math.ceil(size / limitOf(options.maxConcurrency, size, 1)),
  );
  const sum = batches.reduce((all, one) => all + one, 0);
  return Math.min(2_147_483_647, Math.round(sum * typicalMs + options.soakSeconds * 1_000));
}

function effectOfPlan(
  { signApproval }: Pick<AirBlastDeps, 'signApproval'>,
  { id, resolved, plan }: { id: string; resolved: ResolvedPlan; plan: Plan },
): PlannedEffect {
  const { prepared, component, version } = resolved;
  return plannedEffectOf({
    resolved: prepared.resolved,
    verification: resolved.verification,
    values: prepared.values,
    digestSecret: secretDigestOf(signApproval, id),
    storeParameters: Object.values(prepared.store).map(labelOf),
    devices: { sha256: resolved.targetSha256, count: resolved.targetCount },
    strategy: strategyOf({ component, version, options: plan.options }),
  });
}

/** Stores the target set of a plan and returns the columns of its rollout. */
export async function storePlan(
  tx: Transaction,
  deps: AirBlastDeps,
  {
    id,
    revision,
    resolved,
    plan,
  }: { id: string; revision: number; resolved: ResolvedPlan; plan: Plan },
) {
  await insertTargets(tx, { id, revision }, resolved.devices);
  const { prepared } = resolved;
  const effect = effectOfPlan(deps, { id, resolved, plan });
  return {
    name: plan.name,
    reason: plan.reason,
    command: prepared.command,
    documentName: prepared.documentName,
    documentVersion: prepared.documentVersion,
    documentSha256: prepared.documentSha256,
    consequence: resolved.consequence,
    effect,
    planSha256: effectSha256(effect),
    platforms: prepared.platforms,
    parameters: { ...deps.vault.seal(id, prepared.values, prepared.secretParameters) },
    maskedParameters: { ...maskParameters(prepared.values, prepared.secretParameters) },
    storeParameters: sealStoreParameters(deps.vault, { id, revision }, prepared.store),
    component: resolved.component,
    version: resolved.version,
    options: { ...plan.options },
    target: { ...plan.target },
    targetSha256: resolved.targetSha256,
    targetCount: resolved.targetCount,
    predictedDurationMs: resolved.predictedDurationMs,
    radius: { ...(await measureRadius(tx, { id, revision })) },
  };
}
