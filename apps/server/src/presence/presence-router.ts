import { announcePresenceInput, type PresentPerson } from '@deviceportal/contract/presence';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { announcePresence } from './announce-presence.ts';

export function createPresenceRouter(deps: { readonly database: Database }) {
  return router({
    announce: permitted('devices:read')
      .input(announcePresenceInput)
      .mutation(({ ctx, input }): Promise<PresentPerson[]> =>
        announcePresence(deps, ctx.viewer, input),
      ),
  });
}
