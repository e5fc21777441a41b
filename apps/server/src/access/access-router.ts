import { z } from 'zod';
import type { RoleRow, UserRow } from '@deviceportal/contract/access';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import { maskEmail, maskName, maskPhone } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { listRoles, listUsers } from './user-store.ts';
import type { UserDirectory } from './user-directory.ts';

export interface AccessDependencies {
  readonly database: Database;
  readonly directory: UserDirectory;
}

const byId = z.object({ id: idSchema });

export function createAccessRouter({ database, directory }: AccessDependencies) {
  const usersWithGroups = async (): Promise<UserRow[]> => {
    const users = await listUsers(database.orm);
    const groups = await directory.groupsByUsername();
    return users.map((user) => ({ ...user, groups: groups.get(user.username) ?? [] }));
  };
  return router({
    roles: router({
      list: permitted('access:read').query((): Promise<RoleRow[]> => listRoles(database.orm)),
      get: permitted('access:read')
        .input(byId)
        .query(async ({ input }): Promise<RoleRow> => {
          const found = (await listRoles(database.orm)).find((role) => role.id === input.id);
          if (!found) throw new PortalError('notFound', { facts: { id: input.id } });
          return found;
        }),
    }),
    users: router({
      list: permitted('access:read').query(async ({ ctx }): Promise<UserRow[]> =>
        (await usersWithGroups()).map((user) => maskFor(ctx.viewer, user)),
      ),
      get: permitted('access:read')
        .input(byId)
        .query(async ({ ctx, input }): Promise<UserRow> => {
          const found = (await usersWithGroups()).find((user) => user.id === input.id);
          if (!found) throw new PortalError('notFound', { facts: { id: input.id } });
          return maskFor(ctx.viewer, found);
        }),
    }),
  });
}

/** Users are people: without `people:read` others than oneself are masked. */
function maskFor(viewer: Viewer, user: UserRow): UserRow {
  if (user.id === viewer.userId || holds(viewer.grants, 'people:read')) return user;
  return {
    ...user,
    username: maskName(user.username),
    name: maskName(user.name),
    email: maskEmail(user.email),
    phone: maskPhone(user.phone),
  };
}
