import type { Timestamp } from '../pages.ts';

/** With what something ends that was made by temporary access. */
export interface AccessGrantBond {
  readonly accessGrantId: string;
  readonly role: string;
  readonly endsAt: Timestamp;
}
