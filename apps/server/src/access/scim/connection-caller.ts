import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/viewer.ts';
import type { ActiveConnection } from '../data/scim/scim-connection-queries.ts';
import { ScimError } from './protocol/scim-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes of SCIM. */
    scimCaller?: DirectoryCaller;
  }
}

/** A directory that calls, with what its connection may do. */
export interface DirectoryCaller extends Caller {
  readonly connection: ActiveConnection;
}

/** Use cases read the current rights of the connection themselves (`loadGranter`). */
export function connectionCaller(
  connection: ActiveConnection,
  origin: { readonly address: string; readonly requestId: string },
): DirectoryCaller {
  const { id, name } = connection;
  return {
    connection,
    ...origin,
    viewer: {
      userId: id,
      subject: `scim:${id}`,
      username: name,
      displayName: name,
      email: null,
      roles: [],
      grants: [],
      admitted: true,
      signedInAt: new Date(0),
      service: { kind: 'directory', id, name },
    },
  };
}

/** The caller of a request on the routes of SCIM. */
export function callerOf({ scimCaller }: FastifyRequest): DirectoryCaller {
  if (scimCaller === undefined) throw new ScimError(401, 'The token is missing.');
  return scimCaller;
}
