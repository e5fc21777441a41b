import { randomUUID } from 'node:crypto';
import { AIR_BLAST_ROLE_SESSION_SECONDS } from '@deviceportal/contract/constants';
import type { OperatorRole } from './air-blast-deps.ts';

/** For external identity providers: users with `air-blast:run` can assume it, and it always lasts 900 s. */
export function createTimedRole({ clock }: { readonly clock: () => Date }): OperatorRole {
  return {
    async assume() {
      const expiresAt = new Date(clock().getTime() + AIR_BLAST_ROLE_SESSION_SECONDS * 1_000);
      return { session: randomUUID(), expiresAt };
    },
    async isInForce() {
      return true;
    },
  };
}
