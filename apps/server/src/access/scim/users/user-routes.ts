import type { FastifyInstance } from 'fastify';
import {
  listDirectoryUsers,
  requireDirectoryUser,
  type DirectoryUserFilter,
} from '../../data/scim/scim-user-queries.ts';
import { callerOf } from '../connection-caller.ts';
import { SCIM_TYPE } from '../protocol/media-type.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { sendResource, type ListQuery } from '../send-resource.ts';
import { listResponse, readPage } from '../protocol/list-response.ts';
import { project, readProjection } from '../protocol/project.ts';
import { readFilter } from '../protocol/read-filter.ts';
import { invalid } from '../protocol/scim-error.ts';
import { userResource } from '../protocol/user-resource.ts';
import { changeDirectoryUser } from './change-directory-user.ts';
import { createDirectoryUser } from './create-directory-user.ts';
import { deleteDirectoryUser } from './delete-directory-user.ts';

type ById = { Params: { id: string }; Querystring: ListQuery };

/** `/Users` (RFC 7644, section 3). */
export function addUserRoutes(scope: FastifyInstance, deps: ScimDeps, baseUrl: string): void {
  const on = deps.database.orm;
  scope.get<{ Querystring: ListQuery }>('/Users', async (request, reply) => {
    const { startIndex, count } = readPage(request.query);
    const { users, total } = await listDirectoryUsers(on, {
      filter: readUserFilter(request.query.filter),
      offset: startIndex - 1,
      limit: count,
    });
    const projection = readProjection(request.query);
    const resources = users.map((user) => project(userResource(user, baseUrl), projection));
    return reply.type(SCIM_TYPE).send(listResponse(resources, { totalResults: total, startIndex }));
  });
  scope.post('/Users', async (request, reply) => {
    const user = await createDirectoryUser(deps, callerOf(request), request.body);
    return sendResource(request, reply, userResource(user, baseUrl), 201);
  });
  scope.get<ById>('/Users/:id', async (request, reply) => {
    const user = await requireDirectoryUser(on, request.params.id);
    return sendResource(request, reply, userResource(user, baseUrl));
  });
  for (const method of ['PUT', 'PATCH'] as const) {
    scope.route<ById>({
      method,
      url: '/Users/:id',
      handler: async (request, reply) => {
        const user = await changeDirectoryUser(deps, callerOf(request), {
          ...{ id: request.params.id, method, body: request.body, baseUrl },
          ifMatch: request.headers['if-match'],
        });
        return sendResource(request, reply, userResource(user, baseUrl));
      },
    });
  }
  scope.delete<ById>('/Users/:id', async (request, reply) => {
    const ifMatch = request.headers['if-match'];
    await deleteDirectoryUser(deps, callerOf(request), { id: request.params.id, ifMatch, baseUrl });
    return reply.code(204).send();
  });
}

/** @throws ScimError 400 invalidFilter */
function readUserFilter(filter: string | undefined): DirectoryUserFilter {
  if (filter === undefined || filter.trim() === '') return {};
  const wanted: { -readonly [Name in keyof DirectoryUserFilter]: DirectoryUserFilter[Name] } = {};
  for (const { attribute, value } of readFilter(filter)) {
    if (attribute === 'active' && typeof value === 'boolean') wanted.active = value;
    else if (typeof value !== 'string') throw notFilterable(attribute);
    else if (attribute === 'username') wanted.userName = value;
    else if (attribute === 'externalid') wanted.externalId = value;
    else if (attribute === 'id') wanted.id = value;
    else if (attribute === 'displayname') wanted.displayName = value;
    else if (attribute === 'emails' || attribute === 'emails.value') wanted.email = value;
    else throw notFilterable(attribute);
  }
  return wanted;
}

const notFilterable = (attribute: string) =>
  invalid(
    `Users cannot be filtered by ${attribute}. Use userName, externalId, id, displayName, emails.value, or active.`,
    'invalidFilter',
  );
