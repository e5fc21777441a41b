import { z } from 'zod';
import type { FindingRule } from './finding-rules.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** What devices of one model are compared in. `name` tells facts of one kind apart: component, package, label key. */
export const twinFactKinds = [
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
export type TwinFactKind = (typeof twinFactKinds)[number];

/** How full: under 60 %, to 80 %, to 90 %, above. */
export const fillBands = ['low', 'middle', 'high', 'full'] as const;

/** Something in which a device is unlike most healthy devices of its model. Shares are 0 to 1. */
export interface TwinDifference {
  readonly kind: TwinFactKind;
  readonly name: string;
  /** Null: this device has none. */
  readonly own: string | null;
  /** What most healthy ones have; null: most have none. */
  readonly usual: string | null;
  readonly usualShare: number;
  /** How many of the healthy ones are as this one. */
  readonly sameShare: number;
  /** How many of those with the same trouble are as this one; null where too few have it. */
  readonly troubledShare: number | null;
  /** Since when it is so on this device, where that is known. */
  readonly since: Timestamp | null;
  /** It changed within the day before the trouble was found. */
  readonly changedBeforeTrouble: boolean;
}

export interface TwinComparison {
  readonly model: string | null;
  /** Healthy devices of the model that were looked at; below `TWINS_NEEDED` nothing is compared. */
  readonly healthy: number;
  /** The device's most urgent finding, and how many others of the model with it were looked at. */
  readonly trouble: { readonly rule: FindingRule; readonly devices: number } | null;
  /** The most telling first. */
  readonly differences: readonly TwinDifference[];
  /** Differences that are not listed. */
  readonly more: number;
}

/** With fewer there is no telling what is usual. */
export const TWINS_NEEDED = 5;

export const compareTwinsInput = z.object({ deviceId: idSchema });
