import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

export const personKinds = ['user', 'customer'] as const;
/** A user of the portal, or a customer who owns devices. */
export type PersonKind = (typeof personKinds)[number];

export const personReferenceInput = z.object({ kind: z.enum(personKinds), id: idSchema });
export type PersonReference = z.infer<typeof personReferenceInput>;

export const erasePersonInput = personReferenceInput.extend({
  /** As it is shown: typed by the person who erases. */
  username: z.string().min(1).max(200),
});

/** What prevents an erasure now. */
export type ErasureObstacle = 'already-erased' | 'user-has-not-left' | 'cases-open' | 'own-access';

/** What an erasure would take out, as things stand. */
export interface ErasurePreview extends PersonReference {
  readonly username: string;
  /** What the person is called afterwards. */
  readonly pseudonym: string;
  /** The same person in the other kind: erased with it. */
  readonly linked: readonly PersonReference[];
  readonly devices: number;
  readonly openCases: number;
  readonly obstacles: readonly ErasureObstacle[];
}

/** Parts of the portal that store data about people, as progress of an erasure names them. */
export const erasureParts = [
  'access',
  'accessReviews',
  'airBlast',
  'apiCalls',
  'cases',
  'commands',
  'deviceFiles',
  'devices',
  'documents',
  'imports',
  'legalHolds',
  'locations',
  'messages',
  'notifications',
  'presence',
  'reports',
  'session',
  'terminals',
  'versions',
  'webPages',
] as const;
export type ErasurePart = (typeof erasureParts)[number];

/**
 * How far an erasure is. From its beginning, the person cannot sign in, and is shown only with the pseudonym. `erasing`:
 * stored rows are changed and deleted; `finishing`: requests that were in progress are checked again, and signed
 * texts of open runs are deleted when the runs end.
 */
export interface ErasureProgress {
  readonly state: 'erasing' | 'finishing' | 'erased';
  readonly pseudonym: string;
  readonly beganAt: Timestamp;
  readonly endedAt: Timestamp | null;
  /** Steps of the current round. */
  readonly done: number;
  readonly steps: number;
  /** What is being erased now. */
  readonly part: ErasurePart | null;
  /** Rows from which the person was taken out. */
  readonly changed: number;
  /** Rows that were deleted. */
  readonly deleted: number;
  /** Open runs and rollouts. */
  readonly waitsFor: number;
  /** When a failed batch is tried again; null if the last one did not fail. */
  readonly retryAt: Timestamp | null;
}

export interface PersonErased {
  readonly pseudonym: string;
  readonly progress: ErasureProgress;
}

/** A person's whole record as a file of JSON. */
export interface PersonRecordExport {
  /** Works for an hour, and for its maker only. */
  readonly downloadUrl: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly rows: number;
  readonly createdAt: Timestamp;
}
