/**
 * The live channel: MQTT over WebSocket, with one topic per direction and viewer
 * (docs/design/decisions.md, section 8). The browser publishes what it shows. The server publishes
 * changes of exactly that, at most 4 times a second, limited to what the viewer can see.
 */

import { z } from 'zod';
import type { Connectivity, InvocationState, RunState, StatusDetails } from '../states.ts';
import type { FailingPart } from '../devices/devices.ts';
import type { RunCounters } from '../commands/runs.ts';
import type { Timestamp } from '../pages.ts';

/** For all tabs of a connection. A list page has up to 100. */
const MOST_WATCHED_DEVICES = 5_000;

const countIds = (watches: readonly object[]): number =>
  watches.reduce(
    (sum, watch) => sum + ('ids' in watch && Array.isArray(watch.ids) ? watch.ids.length : 0),
    0,
  );

/** Published by the browser on its watch topic: the complete list at each change. */
export const watchMessageSchema = z.object({
  /** Identifies a tab of a connection. */
  watches: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('devices'), ids: z.array(z.uuid()).max(200) }),
        z.object({ kind: z.literal('run'), id: z.uuid() }),
        z.object({ kind: z.literal('invocation'), id: z.uuid() }),
        z.object({ kind: z.literal('audit-trail'), deviceId: z.uuid().nullable() }),
        z.object({ kind: z.literal('case'), id: z.uuid() }),
        z.object({ kind: z.literal('fleet') }),
        /** The viewer's own notifications. */
        z.object({ kind: z.literal('notifications') }),
      ]),
    )
    .max(50)
    .refine((watches) => countIds(watches) <= MOST_WATCHED_DEVICES, 'names too many devices'),
});
export type WatchMessage = z.infer<typeof watchMessageSchema>;
export type Watch = WatchMessage['watches'][number];

export type LiveChange =
  | {
      readonly kind: 'device-status';
      readonly id: string;
      readonly connectivity: Connectivity;
      readonly connectivitySince: Timestamp | null;
      readonly lastSeenAt: Timestamp | null;
      readonly disconnectReason: string | null;
      readonly failing: readonly FailingPart[];
    }
  | { readonly kind: 'device-changed'; readonly id: string }
  | {
      readonly kind: 'run';
      readonly id: string;
      readonly state: RunState;
      readonly statusDetails: StatusDetails;
      readonly counters: RunCounters;
    }
  | {
      readonly kind: 'invocation';
      readonly id: string;
      readonly runId: string;
      readonly state: InvocationState;
      readonly statusDetails: StatusDetails;
    }
  | {
      readonly kind: 'output';
      readonly invocationId: string;
      readonly stream: 'stdout' | 'stderr';
      readonly offset: number;
      readonly text: string;
    }
  | { readonly kind: 'audit-trail'; readonly deviceId: string | null; readonly count: number }
  /** The case changed; fetch it. */
  | { readonly kind: 'case'; readonly id: string }
  | { readonly kind: 'fleet' }
  /** The notifications changed; fetch them. */
  | { readonly kind: 'notifications' };

/** Published by the server on the viewer's live topic. */
export interface LiveMessage {
  readonly changes: readonly LiveChange[];
}
