import type { Transaction } from '../../platform/database/database.ts';
import type { AccessDeps, StopQueued } from '../access-deps.ts';

/** What a user leaves behind. */
export interface OpenWork {
  /** Active schedules. */
  readonly schedules: number;
  /** AirBlast rollouts that have not ended and that the user operates. */
  readonly rollouts: number;
}

export interface ScimDeps extends Pick<AccessDeps, 'database' | 'directory' | 'clock'> {
  readonly publicUrl: string;
  readonly stopQueued: StopQueued;
  readonly countOpenWork: (tx: Transaction, userId: string) => Promise<OpenWork>;
}
