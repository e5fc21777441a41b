import {
  MIN_SIMILAR_DEVICES,
  type SimilarDeviceDifference,
  type SimilarDeviceFactKind,
} from '@deviceportal/contract/similar-devices';

/** Number of devices of each cohort that have a value of a fact. */
export interface FactCount {
  readonly kind: SimilarDeviceFactKind;
  readonly name: string;
  readonly value: string;
  readonly healthy: number;
  readonly faulty: number;
  /** Number of devices that have any value of the fact; a device with several versions of a package counts for each. */
  readonly anyHealthy: number;
  readonly anyFaulty: number;
  /** Whether the compared device has it. */
  readonly own: boolean;
  /** When the compared device got it. */
  readonly since: Date | null;
}

export interface Cohorts {
  readonly healthy: number;
  readonly faulty: number;
  /** When the finding of the compared device was detected. */
  readonly faultySince: Date | null;
}

const USUAL_SHARE = 0.5;
/** A value that a quarter of the healthy devices share is not significant. */
const SIGNIFICANT_SHARE = 0.25;
const BEFORE_FINDING_MS = 24 * 3_600_000;
/** A finding is detected after its cause, and clocks differ. */
const AFTER_FINDING_MS = 600_000;

/**
 * The differences of a device from the healthy ones, most significant first: by how rare its value is among them, how
 * common the usual value is, how common its value is among devices with the same finding, and whether it appeared
 * shortly before the finding.
 */
export function rankDifferences(
  counts: readonly FactCount[],
  cohorts: Cohorts,
): readonly SimilarDeviceDifference[] {
  const facts = Map.groupBy(counts, ({ kind, name }) => `${kind} ${name}`);
  return [...facts.values()]
    .flatMap((values) => differenceOf(values, cohorts) ?? [])
    .map((difference) => ({ difference, weight: weightOf(difference, cohorts) }))
    .toSorted((one, other) => other.weight - one.weight || compareNames(one, other))
    .map(({ difference }) => difference);
}

function differenceOf(
  values: readonly FactCount[],
  cohorts: Cohorts,
): SimilarDeviceDifference | null {
  const [first] = values;
  if (first === undefined) return null;
  const usual = usualOf(values, without(first.anyHealthy, cohorts.healthy), cohorts.healthy);
  if (usual === null) return null;
  // Several versions of a package can be installed: the device counts as usual if one of them is the usual one.
  const owned = values.filter(({ own }) => own);
  if (owned.some(({ value }) => value === usual.value)) return null;
  const own = owned.toSorted((one, other) => one.healthy - other.healthy)[0];
  if (own === undefined && usual.value === null) return null;
  const same = own?.healthy ?? without(first.anyHealthy, cohorts.healthy);
  const sameShare = same / cohorts.healthy;
  if (sameShare > SIGNIFICANT_SHARE) return null;
  const faulty = own?.faulty ?? without(first.anyFaulty, cohorts.faulty);
  return {
    kind: first.kind,
    name: first.name,
    own: own?.value ?? null,
    usual: usual.value,
    usualShare: usual.devices / cohorts.healthy,
    sameShare,
    faultyShare: cohorts.faulty < MIN_SIMILAR_DEVICES ? null : faulty / cohorts.faulty,
    since: own?.since?.toISOString() ?? null,
    changedBeforeFinding: precedesFinding(own?.since ?? null, cohorts.faultySince),
  };
}

/** The value, or its absence, that at least half of the healthy devices share. */
function usualOf(
  values: readonly FactCount[],
  haveNone: number,
  healthy: number,
): { readonly value: string | null; readonly devices: number } | null {
  const choices = values.map(({ value, healthy: devices }) => ({ value, devices }));
  const [most] = [...choices, { value: null, devices: haveNone }].toSorted(
    (one, other) => other.devices - one.devices,
  );
  return most !== undefined && most.devices >= healthy * USUAL_SHARE ? most : null;
}

const without = (having: number, devices: number): number => Math.max(0, devices - having);

function precedesFinding(since: Date | null, faultySince: Date | null): boolean {
  if (since === null || faultySince === null) return false;
  const aheadMs = faultySince.getTime() - since.getTime();
  return aheadMs <= BEFORE_FINDING_MS && aheadMs >= -AFTER_FINDING_MS;
}

function weightOf(difference: SimilarDeviceDifference, { healthy }: Cohorts): number {
  const same = Math.round(difference.sameShare * healthy);
  const surprise = Math.log2((healthy + 2) / (same + 1));
  const contrast = difference.faultyShare === null ? 1 : 0.5 + difference.faultyShare;
  const timing = difference.changedBeforeFinding ? 1.5 : 1;
  return surprise * difference.usualShare * contrast * timing;
}

function compareNames(
  { difference: one }: { readonly difference: SimilarDeviceDifference },
  { difference: other }: { readonly difference: SimilarDeviceDifference },
): number {
  return `${one.kind} ${one.name}` < `${other.kind} ${other.name}` ? -1 : 1;
}
