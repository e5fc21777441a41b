import type { RefusalReason } from '@deviceportal/contract/refusals';
import { portalErrorOf } from '../../api/portal-error-of.ts';

/** What has become of a set of devices since it was shown. */
export interface ChangedTarget {
  readonly count: number;
  readonly added: number;
  readonly removed: number;
  /** The first of them by name, separated by commas. */
  readonly addedDevices: string;
  readonly removedDevices: string;
}

const changedReasons: ReadonlySet<RefusalReason> = new Set([
  'target-changed',
  'target-grew',
  'target-not-shown',
]);

/** What a refused run says about its devices; null where it was refused for something else. */
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
