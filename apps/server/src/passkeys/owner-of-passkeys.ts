import type { PasskeyCaller } from '@deviceportal/identity/passkeys';
import type { UserFacts } from '../access/data/user-queries.ts';

/** A user with the contact for notices, which counts only if the embedded directories do not have the account. */
export function ownerOfPasskeys({
  subject: id,
  username,
  email,
  phone,
}: Pick<UserFacts, 'subject' | 'username' | 'email' | 'phone'>): PasskeyCaller['owner'] {
  const contact =
    email !== null
      ? ({ channel: 'email', to: email } as const)
      : phone !== null
        ? ({ channel: 'sms', to: phone } as const)
        : undefined;
  return { id, username, contact, locale: undefined, timeZone: undefined };
}
