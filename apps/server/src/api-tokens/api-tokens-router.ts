import {
  apiTokenReference,
  createPersonalTokenInput,
  createServiceTokenInput,
  listApiTokensInput,
  type ApiTokenPage,
  type NewApiToken,
  type OwnApiTokens,
} from '@deviceportal/contract/api-tokens';
import {
  approveApplicationInput,
  userCodeReference,
  type WaitingApplication,
} from '@deviceportal/contract/device-grant';
import { permitted, router } from '../platform/api.ts';
import type { ApiTokensDeps } from './api-tokens-deps.ts';
import { createPersonalToken } from './create-personal-token.ts';
import { createServiceToken } from './create-service-token.ts';
import { listAllTokens, listTokensOf } from './data/list-api-tokens.ts';
import { approveApplication, denyApplication } from './device-grant/decide-application.ts';
import { findApplication } from './device-grant/find-application.ts';
import { maskTokenUsers } from './mask-token-users.ts';
import { revokeToken } from './revoke-token.ts';

/** Tokens for `/api/v1`. A session manages them; a token cannot. */
export function createApiTokensRouter(deps: ApiTokensDeps) {
  return router({
    listOwn: permitted('session').query(async ({ ctx: { viewer } }): Promise<OwnApiTokens> => ({
      tokens: await listTokensOf(deps.database.orm, viewer.userId),
      mostDays: deps.apiTokenMaxDays,
    })),
    list: permitted('access:read')
      .input(listApiTokensInput)
      .query(async ({ ctx: { viewer }, input }): Promise<ApiTokenPage> => {
        const { rows, nextCursor } = await listAllTokens(deps.database.orm, input);
        return {
          rows: rows.map((row) => maskTokenUsers(row, viewer)),
          nextCursor,
          mostDays: deps.apiTokenMaxDays,
        };
      }),
    createPersonal: permitted('api-tokens:create', 'grants-rights')
      .input(createPersonalTokenInput)
      .mutation(({ ctx, input }): Promise<NewApiToken> => createPersonalToken(deps, ctx, input)),
    createService: permitted('api-tokens:manage', 'grants-rights')
      .input(createServiceTokenInput)
      .mutation(({ ctx, input }): Promise<NewApiToken> => createServiceToken(deps, ctx, input)),
    revoke: permitted('session')
      .input(apiTokenReference)
      .mutation(({ ctx, input }): Promise<void> => revokeToken(deps, ctx, input)),
    /** A mutation, because incorrect codes are counted, and to keep the code out of addresses. */
    findApplication: permitted('api-tokens:create')
      .input(userCodeReference)
      .mutation(({ ctx, input }): Promise<WaitingApplication> => findApplication(deps, ctx, input)),
    approveApplication: permitted('api-tokens:create', 'grants-rights')
      .input(approveApplicationInput)
      .mutation(({ ctx, input }): Promise<void> => approveApplication(deps, ctx, input)),
    denyApplication: permitted('api-tokens:create')
      .input(userCodeReference)
      .mutation(({ ctx, input }): Promise<void> => denyApplication(deps, ctx, input)),
  });
}
