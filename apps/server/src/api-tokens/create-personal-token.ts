import type { NewApiToken, NewPersonalToken } from '@deviceportal/contract/api-tokens';
import { serializeAccessChange } from '../access/serialize-access-change.ts';
import type { Caller } from '../platform/viewer.ts';
import type { ApiTokensDeps } from './api-tokens-deps.ts';
import { insertPersonalToken } from './insert-personal-token.ts';
import { tokenActorOf } from './record-api-token.ts';
import { requirePersonalToken } from './require-personal-token.ts';

/**
 * Creates a token that acts as the caller, with permissions that the caller holds permanently.
 * @throws PortalError as `requirePersonalToken`
 */
export function createPersonalToken(
  deps: ApiTokensDeps,
  caller: Caller,
  wanted: NewPersonalToken,
): Promise<NewApiToken> {
  return serializeAccessChange(deps.database, async (tx) => {
    const { holder, expiresAt } = await requirePersonalToken(tx, deps, {
      ...{ subject: caller.viewer.subject, wanted },
    });
    return insertPersonalToken(tx, tokenActorOf(caller), {
      ...{ ownerId: holder.userId, expiresAt, wanted },
    });
  });
}
