import { newId } from '@deviceportal/contract/ids';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin } from '../platform/viewer.ts';
import { markSignIn, upsertUser, type UserFacts } from './data/user-queries.ts';

/** Records a sign-in. It is one audit event, even if several servers see the same sign-in. */
export async function recordSignIn(
  { database }: { readonly database: Database },
  user: UserFacts & { readonly authenticatedAt: Date },
  origin: RequestOrigin,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const id = await upsertUser(tx, newId(), user);
    if (!(await markSignIn(tx, id, user.authenticatedAt))) return;
    await recordAudit(tx, [
      {
        type: 'access.signed-in',
        occurredAt: user.authenticatedAt,
        actor: { kind: 'user', id, name: user.username, address: origin.address },
        requestId: origin.requestId,
      },
    ]);
  });
}
