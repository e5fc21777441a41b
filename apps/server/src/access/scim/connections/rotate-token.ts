import {
  SCIM_OVERLAP_HOURS,
  type NewScimToken,
  type ScimTokenRotation,
} from '@deviceportal/contract/scim';
import type { Caller } from '../../../platform/viewer.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { changeConnection, lockConnection } from '../../data/scim/scim-connection-queries.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { hashScimToken, newScimToken } from '../authenticate-connection.ts';
import { recordScim } from '../record-scim.ts';
import { requireFullAdministrator } from './require-full-administrator.ts';

const HOUR_MS = 3_600_000;

/** Replaces the token. The old one stays valid for a day, unless it is ended now. @throws PortalError 1000, 2003 */
export function rotateToken(
  deps: Pick<AccessDeps, 'database' | 'directory' | 'clock'>,
  caller: Caller,
  { id, days, endNow }: ScimTokenRotation,
): Promise<NewScimToken> {
  return serializeAccessChange(deps.database, async (tx) => {
    await requireFullAdministrator(tx, deps, caller);
    const before = await lockConnection(tx, id);
    const token = newScimToken();
    const now = deps.clock().getTime();
    const expiresAt = new Date(now + days * 24 * HOUR_MS);
    await changeConnection(tx, id, {
      tokenHash: hashScimToken(token),
      previousHash: endNow ? null : before.tokenHash,
      previousEndsAt: endNow ? null : new Date(now + SCIM_OVERLAP_HOURS * HOUR_MS),
      expiresAt,
    });
    await recordScim(tx, caller, 'access.directory-token-rotated', {
      ...{ connectionId: id, connection: before.name, expiresAt },
      ...(endNow && { previous: 'ended' }),
    });
    return { id, token, expiresAt: expiresAt.toISOString() };
  });
}
