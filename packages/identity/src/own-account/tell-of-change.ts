import type { AccountChange, MessageChannel } from '../messenger.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { accountName } from '../accounts/account-name.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';

export interface ToldChange {
  readonly what: AccountChange | 'password';
  readonly before: ProviderUser;
  /** Left out where address and number stay. */
  readonly after?: ProviderUser;
}

interface Contact {
  readonly channel: MessageChannel;
  readonly to: string;
}

type Context = Pick<
  ProviderContext,
  'clock' | 'limits' | 'messenger' | 'settings' | 'onInternalError'
>;

const rule: RateLimitRule = { name: 'provider-notice', hits: 20, windowMs: 3_600_000 };

/** The only warning to a person whose account was changed by another; that it cannot be sent changes nothing. */
export async function tellOfChange(
  context: Context,
  { what, before, after = before }: ToldChange,
  { language, address, userAgent }: Caller,
): Promise<void> {
  const { clock, limits, messenger, settings, onInternalError } = context;
  const contacts = contactsOf(before, after);
  if (contacts.length === 0 || (await limits.hit(rule, before.id)) > 0) return;
  const kind =
    what === 'password'
      ? ({ kind: 'password-reset-notification' } as const)
      : ({ kind: 'account-changed', change: what } as const);
  const message = {
    ...kind,
    username: accountName(before),
    at: new Date(clock.now()),
    portalUrl: new URL('/', settings.baseUrl).href,
    locale: before.profile.locale ?? (language === 'zh-CN' ? 'zh-CN' : 'en'),
    askedFrom: { address, userAgent },
  };
  const sent = contacts.map((contact) => messenger.send({ ...contact, ...message }));
  for (const { status, reason } of (await Promise.allSettled(sent)) as PromiseRejectedResult[]) {
    if (status === 'rejected') onInternalError(reason, 'notification of a changed account');
  }
}

/** The addresses of before and after, where they are proven; numbers where there is no address. */
function contactsOf(...users: readonly ProviderUser[]): readonly Contact[] {
  const emails = users.flatMap(({ email, emailVerified }) =>
    email !== null && emailVerified ? [email] : [],
  );
  const phones = users.flatMap(({ phoneE164, phoneVerified }) =>
    phoneE164 !== null && phoneVerified ? [phoneE164] : [],
  );
  return emails.length > 0
    ? [...new Set(emails)].map((to) => ({ channel: 'email', to }))
    : [...new Set(phones)].map((to) => ({ channel: 'sms', to }));
}
