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

/** How a step ended: counts and reasons. */
export interface StepOutcome {
  readonly passed: boolean;
  /** Empty where it has passed. */
  readonly reason: AirBlastStopReason | '';
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** How many devices a step will change. */
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
  /** Null while it is under way. */
  readonly outcome: StepOutcome | null;
  readonly waves: ReturnType<typeof wavesOf>;
}

/** What a step will send, written down before anything is sent. Preflight sends nothing and is done here. */
export async function prepareStep(
  tx: Transaction,
  deps: AirBlastDeps,
  run: AirBlastRecord,
): Promise<PreparedStep> {
  if (run.step === 'preflight') return { outcome: await preflight(tx, deps, run), waves: [] };
  if (run.step === 'canary') {
    const chosen = await chooseCanaries(tx, run, await countDevicesOf(tx, run, 'canary'));
    return underWay(tx, run, [chosen]);
  }
  if (run.step === 'blast') {
    const rest = await selectDeviceIds(tx, run, 'remaining');
    return underWay(tx, run, splitIntoWaves(rest, run.options.wavePercents));
  }
  return underWay(tx, run, []);
}

async function underWay(
  tx: Transaction,
  run: AirBlastRecord,
  devices: readonly (readonly string[])[],
): Promise<PreparedStep> {
  const waves = wavesOf(run, devices);
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
    countries: deps.supportedCountries,
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

/** What is tried again when a step has failed: the devices that did not succeed, then those that never got it. */
export async function prepareRetry(
  tx: Transaction,
  deps: AirBlastDeps,
  run: AirBlastRecord,
): Promise<PreparedStep> {
  if (run.step === 'preflight') return { outcome: await preflight(tx, deps, run), waves: [] };
  if (run.step === 'blast') {
    const failed = await selectDeviceIds(tx, run, 'rollout-failed');
    const rest = await selectDeviceIds(tx, run, 'never-sent');
    return underWay(tx, run, [failed, ...splitIntoWaves(rest, run.options.wavePercents)]);
  }
  const part = run.step === 'canary' ? 'canary-failed' : 'unverified';
  return underWay(tx, run, [await selectDeviceIds(tx, run, part)]);
}

/** One command run each; the key of the run is chosen now, so that it can only be made once. */
export function wavesOf(
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
