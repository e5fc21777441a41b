import type { RefusalReason } from '@deviceportal/contract/refusals';
import { portalErrorOf } from '../../api/portal-error-of.ts';

/** Changes of a set of devices since it was shown. */
export interface ChangedTarget {
  readonly count: number;
  readonly added: number;
  readonly removed: number;
  /** Names of some of the devices, separated by commas. */
  readonly addedDevices: string;
  readonly removedDevices: string;
}

const changedReasons: ReadonlySet<RefusalReason> = new Set([
  'target-changed',
  'target-grew',
  'target-not-shown',
]);

/** The changed devices of a rejected run. Null for other errors. */
export function changedTargetOf(error: unknown): ChangedTarget | null {
  if (error === null || error === undefined) return null;
  const { reason, facts } = portalErrorOf(error);
  if (reason === null || !changedReasons.has(reason)) return null;
  return {
    count: Number(facts['devices'] ?? 0),
    added: Number(facts['added'] ?? 0),
    removed: Number(facts['removed'] ?? 0),
    addedDevices: String(facts['addedDevices'] ?? ''),
    removedDevices: String(facts['removedDevices'] ?? ''),
  };
}
