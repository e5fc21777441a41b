import {
  addMemberInput,
  editProviderRoleInput,
  listMembersInput,
  listProviderRolesInput,
  providerRoleInput,
  providerRoleReference,
  removeMemberInput,
  type MemberPage,
  type ProviderRolePage,
} from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import { originOf } from '../access/act-origin.ts';
import { permitted, router } from '../platform/api.ts';
import { decodeCursor } from '../platform/keyset-cursor.ts';
import { listMembers } from './list-members.ts';
import { pageOf } from './page-of.ts';
import { permittedPermanently } from './permitted-permanently.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';

export function createProviderRolesRouter(deps: ProviderAdminDeps) {
  const roles = () => requireProvider(deps).roles;
  return router({
    list: permitted('provider:read')
      .input(listProviderRolesInput)
      .query(async ({ input: { pageSize, cursor } }): Promise<ProviderRolePage> => {
        const rows = await roles().list({ after: readPlace(cursor), limit: pageSize + 1 });
        return pageOf(rows, pageSize, (role) => [role.namespace, role.code]);
      }),
    create: permittedPermanently('grants-rights')
      .input(providerRoleInput)
      .mutation(({ ctx, input }): Promise<{ readonly id: string }> =>
        roles().create(input, originOf(ctx)),
      ),
    edit: permittedPermanently('grants-rights')
      .input(editProviderRoleInput)
      .mutation(({ ctx, input }): Promise<void> => roles().edit(input, originOf(ctx))),
    remove: permitted('provider:manage', 'destroys')
      .input(providerRoleReference)
      .mutation(({ ctx, input }): Promise<void> => roles().remove(input.id, originOf(ctx))),
    listMembers: permitted('provider:read')
      .input(listMembersInput)
      .query(({ ctx, input }): Promise<MemberPage> => listMembers(roles(), ctx.viewer, input)),
    addMember: permittedPermanently('grants-rights')
      .input(addMemberInput)
      .mutation(({ ctx, input }): Promise<void> => roles().addMember(input, originOf(ctx))),
    removeMember: permitted('provider:manage')
      .input(removeMemberInput)
      .mutation(({ ctx, input }): Promise<void> => roles().removeMember(input, originOf(ctx))),
  });
}

function readPlace(cursor: string | null) {
  if (cursor === null) return undefined;
  const [namespace, code] = decodeCursor(cursor, 2);
  if (namespace !== undefined && code !== undefined) return { namespace, code };
  throw refuse('cursor-invalid', { field: 'cursor' });
}
