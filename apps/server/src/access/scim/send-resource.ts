import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCIM_TYPE } from './protocol/media-type.ts';
import { namesVersion } from './protocol/etag.ts';
import { project, readProjection } from './protocol/project.ts';
import type { ScimResource } from './protocol/user-resource.ts';

export interface ListQuery {
  readonly filter?: string;
  readonly startIndex?: string;
  readonly count?: string;
  readonly attributes?: string;
  readonly excludedAttributes?: string;
}

/** Sends a resource with its version; 304 if the client has it. */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: ScimResource,
  status = 200,
): FastifyReply {
  const { version, location } = resource.meta;
  void reply.header('etag', version).header('location', location);
  const known = request.headers['if-none-match'];
  if (request.method === 'GET' && known !== undefined && namesVersion(known, version)) {
    return reply.code(304).send();
  }
  const projection = readProjection(request.query as ListQuery);
  return reply.code(status).type(SCIM_TYPE).send(project(resource, projection));
}
