import type { FastifyInstance } from 'fastify';
import { SCIM_TYPE } from './protocol/media-type.ts';
import { listResponse } from './protocol/list-response.ts';
import { ScimError } from './protocol/scim-error.ts';
import { resourceTypesAt, schemasAt, serviceProviderConfigAt } from './protocol/schemas.ts';

/** What this service provider supports (RFC 7644, section 4). */
export function addDiscoveryRoutes(scope: FastifyInstance, baseUrl: string): void {
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
