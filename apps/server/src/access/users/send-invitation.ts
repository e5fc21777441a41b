import { renderMessage } from '../../messages/render-message.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { AccessDeps } from '../access-deps.ts';
import type { UserFacts } from '../data/user-queries.ts';

/** Adds the invitation to the outbox in the transaction, so it is sent exactly if the transaction commits. */
export async function sendInvitation(
  tx: Transaction,
  { notices, publicUrl }: Pick<AccessDeps, 'notices' | 'publicUrl'>,
  user: Pick<UserFacts, 'subject' | 'username' | 'email' | 'phone'> & { readonly language: string },
): Promise<void> {
  const channel = user.email !== null && notices.has('email') ? 'email' : 'sms';
  const to = channel === 'email' ? user.email : user.phone;
  if (to === null || !notices.has(channel)) return;
  const rendered = renderMessage({
    kind: 'welcome',
    to,
    channel,
    username: user.username,
    portalUrl: publicUrl,
    locale: user.language,
  });
  await notices.queue(tx, { ...rendered, to, channel, kind: 'invitation', person: user.subject });
}
