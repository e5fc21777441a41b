import {
  addMemberInput,
  departmentInput,
  departmentReference,
  editDepartmentInput,
  listMembersInput,
  removeMemberInput,
  type DepartmentRow,
  type MemberPage,
} from '@deviceportal/contract/provider-admin';
import { originOf } from '../access/act-origin.ts';
import { permitted, router } from '../platform/api.ts';
import { listMembers } from './list-members.ts';
import { permittedPermanently } from './permitted-permanently.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';

export function createDepartmentsRouter(deps: ProviderAdminDeps) {
  const departments = () => requireProvider(deps).departments;
  return router({
    list: permitted('provider:read').query((): Promise<readonly DepartmentRow[]> =>
      departments().list(),
    ),
    create: permittedPermanently()
      .input(departmentInput)
      .mutation(({ ctx, input }): Promise<{ readonly id: string }> =>
        departments().create(input, originOf(ctx)),
      ),
    edit: permittedPermanently()
      .input(editDepartmentInput)
      .mutation(({ ctx, input }): Promise<void> => departments().edit(input, originOf(ctx))),
    remove: permitted('provider:manage', 'destroys')
      .input(departmentReference)
      .mutation(({ ctx, input }): Promise<void> => departments().remove(input.id, originOf(ctx))),
    listMembers: permitted('provider:read')
      .input(listMembersInput)
      .query(({ ctx, input }): Promise<MemberPage> =>
        listMembers(departments(), ctx.viewer, input),
      ),
    addMember: permittedPermanently()
      .input(addMemberInput)
      .mutation(({ ctx, input }): Promise<void> => departments().addMember(input, originOf(ctx))),
    removeMember: permitted('provider:manage')
      .input(removeMemberInput)
      .mutation(({ ctx, input }): Promise<void> =>
        departments().removeMember(input, originOf(ctx)),
      ),
  });
}
