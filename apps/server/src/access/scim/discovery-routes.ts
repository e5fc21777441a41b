import type { FastifyInstance } from 'fastify';
import { SCIM_TYPE } from './protocol/media-type.ts';
import { listResponse } from './protocol/list-response.ts';
import { ScimError } from './protocol/scim-error.ts';
import { resourceTypesAt, schemasAt, serviceProviderConfigAt } from './protocol/schemas.ts';

const readOnly = ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'] as const;
/** Optional endpoints of RFC 7644. */
const notOffered = ['/Bulk', '/Me', '/.search', '/Users/.search', '/Groups/.search'] as const;

/** What this service provider supports (RFC 7644, section 4). */
export function addDiscoveryRoutes(scope: FastifyInstance, baseUrl: string): void {
  for (const url of readOnly) {
    scope.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      handler: (_request, reply) => {
        void reply.header('allow', 'GET');
        throw new ScimError(405, 'This endpoint can only be read.');
      },
    });
  }
  for (const url of notOffered) {
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      handler: () => {
        throw new ScimError(501, 'This service provider does not offer this endpoint.');
      },
    });
  }
  scope.get('/ServiceProviderConfig', (_request, reply) =>
    reply.type(SCIM_TYPE).send(serviceProviderConfigAt(baseUrl)),
  );
  const lists = { ResourceTypes: resourceTypesAt(baseUrl), Schemas: schemasAt(baseUrl) };
  for (const [name, resources] of Object.entries(lists)) {
    scope.get(`/${name}`, (_request, reply) =>
      reply
        .type(SCIM_TYPE)
        .send(listResponse(resources, { totalResults: resources.length, startIndex: 1 })),
    );
    scope.get<{ Params: { id: string } }>(`/${name}/:id`, (request, reply) => {
      const found = resources.find(({ id }) => id === request.params.id);
      if (found === undefined) throw new ScimError(404, 'The resource does not exist.');
      return reply.type(SCIM_TYPE).send(found);
    });
  }
}
