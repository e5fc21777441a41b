import { randomUUID } from 'node:crypto';
import type { AirBlastStep, AirBlastStopReason } from '@deviceportal/contract/air-blast';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { findSoftware } from '../../versions/data/known-versions.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { checkTargets } from '../data/targets/check-targets.ts';
import { chooseCanaries } from '../data/targets/choose-canaries.ts';
import { countDevices, selectDeviceIds } from '../data/targets/target-part-queries.ts';
import { countReasons, countUnchecked } from '../data/targets/target-count-queries.ts';
import { selectWarnings } from '../data/version-warning-queries.ts';
import { insertWaves } from '../data/waves/wave-queries.ts';
import { canaryCount, splitIntoWaves } from '@deviceportal/contract/wave-sizes';

/** Result of a step: counts and reasons. */
export interface StepOutcome {
  readonly passed: boolean;
  /** Empty if it passed. */
  readonly reason: AirBlastStopReason | '';
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** The number of devices that a step will change. */
export async function countDevicesOf(
  executor: Executor,
  run: AirBlastRecord,
  step: AirBlastStep,
): Promise<number> {
  if (step === 'blast') return countDevices(executor, run, 'remaining');
  if (step !== 'canary') return 0;
  return canaryCount(await countDevices(executor, run, 'all'), run.options.canaryPercent);
}

export interface PreparedStep {
  /** Null while it runs. */
  readonly outcome: StepOutcome | null;
  readonly waves: ReturnType<typeof newWaves>;
}

/** Stores the waves of a step before anything is sent. Preflight has no waves and is executed here. */
export async function prepareStep(
  tx: Transaction,
  deps: AirBlastDeps,
  run: AirBlastRecord,
): Promise<PreparedStep> {
  if (run.step === 'preflight') return { outcome: await preflight(tx, deps, run), waves: [] };
  if (run.step === 'canary') {
    const chosen = await chooseCanaries(tx, run, await countDevicesOf(tx, run, 'canary'));
    return insertStepWaves(tx, run, [chosen]);
  }
  if (run.step === 'blast') {
    const rest = await selectDeviceIds(tx, run, 'remaining');
    return insertStepWaves(tx, run, splitIntoWaves(rest, run.options.wavePercents));
  }
  return insertStepWaves(tx, run, []);
}

async function insertStepWaves(
  tx: Transaction,
  run: AirBlastRecord,
  devices: readonly (readonly string[])[],
): Promise<PreparedStep> {
  const waves = newWaves(run, devices);
  await insertWaves(tx, waves);
  return { outcome: null, waves };
}

async function preflight(
  tx: Transaction,
  deps: AirBlastDeps,
  run: AirBlastRecord,
): Promise<StepOutcome> {
  const { component, version, options } = run;
  const software =
    component !== null && version !== null
      ? await findSoftware(tx, { component, version })
      : undefined;
  await checkTargets(tx, {
    id: run.id,
    revision: run.revision,
    platforms: run.platforms,
    models: software?.models ?? [],
    countries: deps.named.supportedCountries,
    waitForOffline: options.waitForOffline,
    maxDiskUsedPercent: options.maxDiskUsedPercent,
  });
  const { go, noGo } = await countReasons(tx, run);
  const warnings = await selectWarnings(tx, run);
  const unchecked = await countUnchecked(tx, run);
  const failed = run.targetCount - go;
  const evidence = { total: run.targetCount, go, failed, noGo, warnings, unchecked };
  return { passed: go > 0, reason: go > 0 ? '' : 'no-device-may-go', evidence };
}

/** Stores the waves of a retry: first the devices that failed, then those that never received the change. */
export async function prepareRetry(
  tx: Transaction,
  deps: AirBlastDeps,
  run: AirBlastRecord,
): Promise<PreparedStep> {
  if (run.step === 'preflight') return { outcome: await preflight(tx, deps, run), waves: [] };
  if (run.step === 'blast') {
    const failed = await selectDeviceIds(tx, run, 'rollout-failed');
    const rest = await selectDeviceIds(tx, run, 'never-sent');
    return insertStepWaves(tx, run, [failed, ...splitIntoWaves(rest, run.options.wavePercents)]);
  }
  const part = run.step === 'canary' ? 'canary-failed' : 'unverified';
  return insertStepWaves(tx, run, [await selectDeviceIds(tx, run, part)]);
}

/** Each wave is one command run. Its idempotency key is generated here, so that the run is created only once. */
export function newWaves(
  run: Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>,
  waves: readonly (readonly string[])[],
  {
    kind = 'change',
    from = 1,
  }: { readonly kind?: 'change' | 'verify'; readonly from?: number } = {},
) {
  return waves
    .filter((deviceIds) => deviceIds.length > 0)
    .map((deviceIds, index) => ({
      airBlastId: run.id,
      revision: run.revision,
      step: run.step,
      attempt: run.attempt,
      wave: from + index,
      kind,
      deviceIds: [...deviceIds],
      runKey: randomUUID(),
    }));
}
