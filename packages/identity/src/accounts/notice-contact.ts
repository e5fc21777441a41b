import type { Queryable } from '../database/in-transaction.ts';
import type { MessageChannel } from '../messenger.ts';

/** Where notices about an account are sent, and in which language. */
export interface NoticeContact {
  /** Undefined if the account has no verified address: an unverified one may belong to another person. */
  readonly contact: { readonly channel: MessageChannel; readonly to: string } | undefined;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
}

interface StoredContact {
  readonly email: string | null;
  readonly phone: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
}

/** @returns undefined if no directory here has the account */
export async function findNoticeContact(
  db: Queryable,
  accountId: string,
): Promise<NoticeContact | undefined> {
  const answer = await db.query<StoredContact>(
    `select case when a.email_verified then a.email end as email,
            case when a.phone_number_verified then a.phone_number end as phone,
            coalesce(u.standard_attributes ->> 'locale', p.profile ->> 'locale') as locale,
            coalesce(u.standard_attributes ->> 'zoneinfo', p.profile ->> 'zoneinfo') as "timeZone"
       from identity.account a
       left join identity.pool_user u on u.account_id = a.account_id
       left join identity.provider_user p on p.id = a.account_id
      where a.account_id = $1`,
    [accountId],
  );
  const [found] = answer.rows;
  if (found === undefined) return undefined;
  const { email, phone, locale, timeZone } = found;
  return {
    contact:
      email !== null
        ? { channel: 'email', to: email }
        : phone !== null
          ? { channel: 'sms', to: phone }
          : undefined,
    locale: locale ?? undefined,
    timeZone: timeZone ?? undefined,
  };
}
