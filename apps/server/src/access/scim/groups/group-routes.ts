import type { FastifyInstance } from 'fastify';
import {
  listDirectoryGroups,
  listMembers,
  requireDirectoryGroup,
  type DirectoryGroup,
  type DirectoryGroupFilter,
} from '../../data/scim/scim-group-queries.ts';
import { callerOf } from '../connection-caller.ts';
import { SCIM_TYPE } from '../protocol/media-type.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { sendResource, type ListQuery } from '../send-resource.ts';
import { groupResource } from '../protocol/group-resource.ts';
import { listResponse, readPage } from '../protocol/list-response.ts';
import { isAskedFor, project, readProjection } from '../protocol/project.ts';
import { readFilter } from '../protocol/read-filter.ts';
import { invalid, ScimError } from '../protocol/scim-error.ts';
import type { ScimResource } from '../protocol/user-resource.ts';
import { changeDirectoryGroup } from './change-directory-group.ts';

type ById = { Params: { id: string }; Querystring: ListQuery };

/** `/Groups`: roles and their members. Roles are created, renamed, and deleted in the portal only. */
export function addGroupRoutes(scope: FastifyInstance, deps: ScimDeps, baseUrl: string): void {
  const on = deps.database.orm;
  const resourcesOf = async (
    groups: readonly DirectoryGroup[],
    query: ListQuery,
  ): Promise<ScimResource[]> => {
    const withMembers = isAskedFor('members', readProjection(query));
    const members = withMembers
      ? await listMembers(
          on,
          groups.map(({ id }) => id),
        )
      : undefined;
    return groups.map((group) =>
      groupResource(group, members && (members.get(group.id) ?? []), baseUrl),
    );
  };
  const resourceOf = async (id: string, query: ListQuery): Promise<ScimResource> => {
    const [resource] = await resourcesOf([await requireDirectoryGroup(on, id)], query);
    if (resource === undefined) throw new ScimError(404, 'The resource does not exist.');
    return resource;
  };
  scope.get<{ Querystring: ListQuery }>('/Groups', async (request, reply) => {
    const { startIndex, count } = readPage(request.query);
    const found = await listDirectoryGroups(on, readGroupFilter(request.query.filter));
    const page = found.slice(startIndex - 1, startIndex - 1 + count);
    const projection = readProjection(request.query);
    const resources = await resourcesOf(page, request.query);
    return reply.type(SCIM_TYPE).send(
      listResponse(
        resources.map((resource) => project(resource, projection)),
        { totalResults: found.length, startIndex },
      ),
    );
  });
  scope.get<ById>('/Groups/:id', async (request, reply) =>
    sendResource(request, reply, await resourceOf(request.params.id, request.query)),
  );
  for (const method of ['PUT', 'PATCH'] as const) {
    scope.route<ById>({
      method,
      url: '/Groups/:id',
      handler: async (request, reply) => {
        const { id } = request.params;
        await changeDirectoryGroup(deps, callerOf(request), {
          ...{ id, method, body: request.body, baseUrl },
          ifMatch: request.headers['if-match'],
        });
        return sendResource(request, reply, await resourceOf(id, request.query));
      },
    });
  }
  scope.post('/Groups', () => {
    throw rolesAreKeptHere();
  });
  scope.delete('/Groups/:id', () => {
    throw rolesAreKeptHere();
  });
}

const rolesAreKeptHere = (): ScimError =>
  new ScimError(
    403,
    'Roles are created and deleted in the portal. Link the group to an existing role by its name.',
  );

/** @throws ScimError 400 invalidFilter */
function readGroupFilter(filter: string | undefined): DirectoryGroupFilter {
  if (filter === undefined || filter.trim() === '') return {};
  const wanted: { -readonly [Name in keyof DirectoryGroupFilter]: DirectoryGroupFilter[Name] } = {};
  for (const { attribute, value } of readFilter(filter)) {
    if (typeof value !== 'string') throw notFilterable(attribute);
    if (attribute === 'displayname') wanted.displayName = value;
    else if (attribute === 'externalid') wanted.externalId = value;
    else if (attribute === 'id') wanted.id = value;
    else throw notFilterable(attribute);
  }
  return wanted;
}

const notFilterable = (attribute: string) =>
  invalid(
    `Groups cannot be filtered by ${attribute}. Use displayName, externalId, or id.`,
    'invalidFilter',
  );
