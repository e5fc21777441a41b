import type { ActOrigin } from '@deviceportal/identity/administration-act';
import type { Caller } from '../platform/viewer.ts';

/** The caller in the form that user pool and identity provider record. */
export function originOf({ viewer, address, requestId }: Caller): ActOrigin {
  return {
    actor: { kind: 'person', id: viewer.subject, name: viewer.username },
    address,
    requestId,
  };
}
