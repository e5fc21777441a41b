import type pg from 'pg';
import type { GuessedAccount } from '../accounts/account-guesses.ts';
import { findNoticeContact } from '../accounts/notice-contact.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { AccountChange, AskedFrom } from '../messenger.ts';
import { writeChange, type PasskeyContext } from './passkey-context.ts';
import type { PasskeyCaller } from './passkeys.ts';

/** A change that the owner is notified of. */
export interface NotifiedChange {
  readonly owner: GuessedAccount;
  readonly change: AccountChange;
  /** Undefined for a change by an administrator. */
  readonly askedFrom: AskedFrom | undefined;
}

type Context = Pick<
  PasskeyContext,
  'clock' | 'limits' | 'queueNotice' | 'portalUrl' | 'onInternalError'
>;

/** Only changes that were made count, so that failed attempts cannot use up the notices. */
const NOTICES: RateLimitRule = { name: 'passkey-notice', hits: 20, windowMs: 3_600_000 };

/**
 * Queues a notice in the transaction of its change, so that a crash loses both or neither. A notice that cannot be
 * queued is reported, and the change remains.
 */
export async function notifyOwner(
  context: Context,
  client: pg.PoolClient,
  change: NotifiedChange,
): Promise<void> {
  await client.query('savepoint notice');
  try {
    await queue(context, client, change);
    await client.query('release savepoint notice');
  } catch (error) {
    await client.query('rollback to savepoint notice');
    context.onInternalError(error, 'notification of changed passkeys');
  }
}

async function queue(
  { clock, limits, queueNotice, portalUrl }: Context,
  client: pg.PoolClient,
  { owner, change, askedFrom }: NotifiedChange,
): Promise<void> {
  const own = await findNoticeContact(client, owner.id);
  // Of an account at another provider, the caller knows the address.
  const contact = own === undefined ? owner.contact : own.contact;
  if (contact === undefined || (await limits.hit(NOTICES, owner.id, client)) > 0) return;
  await queueNotice(client, {
    kind: 'account-changed',
    ...{ ...contact, change, username: owner.username, person: owner.id },
    ...{ at: new Date(clock.now()), portalUrl, askedFrom },
    locale: own?.locale ?? owner.locale,
    timeZone: own?.timeZone ?? owner.timeZone,
  });
}

/** Records a change in its transaction, and notifies the owner. */
export async function writeNotifiedChange(
  context: PasskeyContext,
  client: pg.PoolClient,
  caller: PasskeyCaller,
  { detail, change }: { readonly detail: string; readonly change: AccountChange },
): Promise<void> {
  await writeChange(context, client, caller, detail);
  const { owner, address, userAgent } = caller;
  await notifyOwner(context, client, { owner, change, askedFrom: { address, userAgent } });
}
