import type { ActOrigin } from '@deviceportal/identity/administration-act';
import type { Caller } from '../platform/viewer.ts';

/** The caller in the form that user pool and identity provider record. */
export function originOf({ viewer, address, requestId }: Caller): ActOrigin {
  return {
    actor:
      viewer.service === undefined
        ? { kind: 'person', id: viewer.subject, name: viewer.username }
        : { kind: 'service', id: viewer.service.id, name: viewer.service.name },
    address,
    requestId,
  };
}
