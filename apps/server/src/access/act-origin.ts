import type { ActOrigin } from '@deviceportal/identity/administration-act';
import type { Caller } from '../platform/viewer.ts';

/** Who does it, as user pool and provider want to know it. */
export function originOf({ viewer, address, requestId }: Caller): ActOrigin {
  return {
    actor: { kind: 'person', id: viewer.subject, name: viewer.username },
    address,
    requestId,
  };
}
