import {
  createRoleInput,
  editRoleInput,
  previewGrantInput,
  roleReferenceInput,
  whoCanInput,
  type GrantPreview,
  type RoleRow,
  type WhoCanAnswer,
} from '@deviceportal/contract/access';
import { permitted, router } from '../../platform/api.ts';
import type { AccessDeps } from '../access-deps.ts';
import { createRole } from './create-role.ts';
import { deleteRole } from './delete-role.ts';
import { editRole } from './edit-role.ts';
import { previewGrant } from './preview-grant.ts';
import { listRoles, requireRole } from '../data/role-queries.ts';
import { whoCan } from '../who-can.ts';

export function createRolesRouter(deps: AccessDeps) {
  return router({
    list: permitted('access:read').query((): Promise<RoleRow[]> => listRoles(deps.database.orm)),
    get: permitted('access:read')
      .input(roleReferenceInput)
      .query(({ input }): Promise<RoleRow> => requireRole(deps.database.orm, input.id)),
    create: permitted('access:manage', 'grants-rights')
      .input(createRoleInput)
      .mutation(({ ctx, input }): Promise<RoleRow> => createRole(deps, ctx, input)),
    edit: permitted('access:manage', 'grants-rights')
      .input(editRoleInput)
      .mutation(({ ctx, input }): Promise<RoleRow> => editRole(deps, ctx, input)),
    delete: permitted('access:manage', 'destroys')
      .input(roleReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => deleteRole(deps, ctx, input.id)),
    preview: permitted('access:read')
      .input(previewGrantInput)
      .query(({ ctx, input }): Promise<GrantPreview> => previewGrant(deps, ctx.viewer, input)),
    whoCan: permitted('access:read')
      .input(whoCanInput)
      .query(({ ctx, input }): Promise<WhoCanAnswer> => whoCan(deps, ctx.viewer, input)),
  });
}
