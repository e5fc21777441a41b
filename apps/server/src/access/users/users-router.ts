import {
  changeUserRolesInput,
  changeUserStatusInput,
  endSessionInput,
  inviteUserInput,
  listUsersInput,
  userReferenceInput,
  type DirectoryAbilities,
  type UserPage,
  type UserRow,
  type UserSession,
} from '@deviceportal/contract/access';
import {
  countUserPasskeys,
  removeUserPasskeys,
  type UserPasskeysDeps,
} from '../../passkeys/user-passkeys.ts';
import { permitted, router } from '../../platform/api.ts';
import type { AccessDeps, StopQueued } from '../access-deps.ts';
import { changeUserRoles } from './change-user-roles.ts';
import { changeUserStatus } from './change-user-status.ts';
import { inviteAgain, inviteUser } from './invite-user.ts';
import { getUser, listUsers } from './list-users.ts';
import { unlockUser } from './unlock-user.ts';
import { endUserSessions, listUserSessions } from './user-sessions.ts';

export function createUsersRouter(
  deps: AccessDeps & UserPasskeysDeps & { readonly stopQueued: StopQueued },
) {
  return router({
    abilities: permitted('access:read').query((): DirectoryAbilities => ({
      keepsPeople: deps.directory.administration !== undefined,
    })),
    list: permitted('access:read')
      .input(listUsersInput)
      .query(({ ctx, input }): Promise<UserPage> => listUsers(deps, ctx.viewer, input)),
    get: permitted('access:read')
      .input(userReferenceInput)
      .query(({ ctx, input }): Promise<UserRow> => getUser(deps, ctx.viewer, input.id)),
    invite: permitted('access:manage', 'grants-rights')
      .input(inviteUserInput)
      .mutation(({ ctx, input }): Promise<UserRow> => inviteUser(deps, ctx, input)),
    inviteAgain: permitted('access:manage')
      .input(userReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => inviteAgain(deps, ctx, input.id)),
    changeRoles: permitted('access:manage', 'grants-rights')
      .input(changeUserRolesInput)
      .mutation(({ ctx, input }): Promise<void> => changeUserRoles(deps, ctx, input)),
    changeStatus: permitted('access:manage', { purpose: 'grants-rights', when: 'for `restore`' })
      .input(changeUserStatusInput)
      .mutation(async ({ ctx, input }): Promise<void> => {
        if (input.act === 'restore') await ctx.requireStepUp();
        await changeUserStatus(deps, ctx, input);
      }),
    unlock: permitted('access:manage')
      .input(userReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => unlockUser(deps, ctx, input.id)),
    countPasskeys: permitted('access:read')
      .input(userReferenceInput)
      .query(({ input }): Promise<number> => countUserPasskeys(deps, input.id)),
    removePasskeys: permitted('access:manage', 'destroys')
      .input(userReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => removeUserPasskeys(deps, ctx, input.id)),
    sessions: permitted('access:read')
      .input(userReferenceInput)
      .query(({ ctx, input }): Promise<UserSession[]> =>
        listUserSessions(deps, ctx.viewer, input.id),
      ),
    endSession: permitted('access:manage')
      .input(endSessionInput)
      .mutation(({ ctx, input }): Promise<void> => endUserSessions(deps, ctx, input)),
    endAllSessions: permitted('access:manage')
      .input(userReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => endUserSessions(deps, ctx, input)),
  });
}
