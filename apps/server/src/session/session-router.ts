import { endOwnSessionInput, type OwnSessions } from '@deviceportal/contract/access';
import {
  preferencesSchema,
  recentItemSchema,
  type Preferences,
  type RecentItem,
  type SessionDetail,
} from '@deviceportal/contract/session';
import { updatePreferences } from '../access/update-preferences.ts';
import type { AccessDeps } from '../access/access-deps.ts';
import { endOtherSessions, listOwnSessions } from '../access/users/own-sessions.ts';
import { loadUser } from '../access/users/load-user.ts';
import { endUserSessions } from '../access/users/user-sessions.ts';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import { listRecentItems, rememberItem } from './data/recent-item-queries.ts';

export interface SessionDependencies extends Pick<AccessDeps, 'directory'> {
  readonly database: Database;
  readonly clock: () => Date;
  readonly named: Pick<NamedSettings, 'sessionDurationMinutes'>;
}

export function createSessionRouter(dependencies: SessionDependencies) {
  const { database, clock, named } = dependencies;
  return router({
    get: permitted('session').query(async ({ ctx: { viewer } }): Promise<SessionDetail> => {
      const user = await loadUser({ database }, viewer.subject);
      const endsAtMs = viewer.signedInAt.getTime() + named.sessionDurationMinutes * 60_000;
      return {
        userId: viewer.userId,
        username: viewer.username,
        displayName: viewer.displayName,
        email: viewer.email,
        roles: viewer.roles,
        grants: viewer.grants,
        admitted: viewer.admitted,
        mustAddPasskey: viewer.mustAddPasskey ?? false,
        accessGrants: (user?.temporary ?? []).map(({ accessGrantId, name, scope, until }) => ({
          ...{ id: accessGrantId, role: name, scope, endsAt: new Date(until).toISOString() },
        })),
        preferences: preferencesSchema.catch({}).parse(user?.preferences),
        endsAt: new Date(endsAtMs).toISOString(),
        serverNow: clock().toISOString(),
      };
    }),
    savePreferences: permitted('session')
      .input(preferencesSchema)
      .mutation(async ({ ctx, input }): Promise<Preferences> => {
        await updatePreferences({ database }, ctx, input);
        return input;
      }),
    signIns: permitted('session').query(({ ctx: { viewer } }): Promise<OwnSessions> =>
      listOwnSessions(dependencies, viewer),
    ),
    endSignIn: permitted('session')
      .input(endOwnSessionInput)
      .mutation(({ ctx, input }): Promise<void> =>
        endUserSessions(dependencies, ctx, { id: ctx.viewer.userId, ...input }),
      ),
    endOtherSignIns: permitted('session').mutation(({ ctx }): Promise<void> =>
      endOtherSessions(dependencies, ctx),
    ),
    recent: permitted('signed-in').query(({ ctx: { viewer } }): Promise<RecentItem[]> =>
      listRecentItems(database.orm, viewer.userId),
    ),
    remember: permitted('signed-in')
      .input(recentItemSchema)
      .mutation(async ({ ctx: { viewer }, input }): Promise<void> => {
        await rememberItem(database.orm, viewer.userId, input);
      }),
  });
}
