import { z } from 'zod';
import type { FindingRule } from './finding-rules.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/**
 * Attributes in which devices of a model are compared. `name` identifies the component, package, or
 * label key.
 */
export const similarDeviceFactKinds = [
  'software',
  'package',
  'platform',
  'agent',
  'hardware',
  'country',
  'timeZone',
  'label',
  'disk',
  'memory',
] as const;
export type SimilarDeviceFactKind = (typeof similarDeviceFactKinds)[number];

/** Disk usage: below 60 %, below 80 %, below 90 %, above. */
export const fillBands = ['low', 'middle', 'high', 'full'] as const;

/**
 * An attribute in which a device differs from most healthy devices of its model. Shares are from 0
 * to 1.
 */
export interface SimilarDeviceDifference {
  readonly kind: SimilarDeviceFactKind;
  readonly name: string;
  /** Null if the device does not have it. */
  readonly own: string | null;
  /** The value of most healthy devices; null if most do not have it. */
  readonly usual: string | null;
  readonly usualShare: number;
  /** Share of healthy devices with the device's own value. */
  readonly sameShare: number;
  /**
   * Share of devices with the same finding that have the device's own value; null if there are too
   * few.
   */
  readonly faultyShare: number | null;
  /** When this device got the value, if known. */
  readonly since: Timestamp | null;
  /** Whether it changed within 24 hours before the finding. */
  readonly changedBeforeFinding: boolean;
}

/** A compared device, for a link. */
export interface SimilarDevice {
  readonly id: string;
  readonly name: string;
  readonly serialNumber: string | null;
}

export interface SimilarDevicesComparison {
  readonly model: string | null;
  /** Number of healthy devices compared. Below `MIN_SIMILAR_DEVICES`, there is no comparison. */
  readonly healthy: number;
  /** Some of the healthy devices, most recently connected first; at most `SIMILAR_DEVICES_SHOWN`. */
  readonly healthyDevices: readonly SimilarDevice[];
  /** The device's most urgent finding, and the number of compared devices with the same finding. */
  readonly finding: {
    readonly rule: FindingRule;
    readonly devices: number;
    /** Some of them; at most `SIMILAR_DEVICES_SHOWN`. */
    readonly shown: readonly SimilarDevice[];
  } | null;
  /** Most significant first. */
  readonly differences: readonly SimilarDeviceDifference[];
  /** Number of differences that are not listed. */
  readonly more: number;
}

export const SIMILAR_DEVICES_SHOWN = 5;

/** Minimum number of healthy devices for a comparison. */
export const MIN_SIMILAR_DEVICES = 5;

export const compareSimilarDevicesInput = z.object({ deviceId: idSchema });
