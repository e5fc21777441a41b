import type { QueueNotice } from '@deviceportal/identity/messenger';
import { createAccountNotices } from '../../messages/account-notices.ts';
import { createMessageSeal } from '../../messages/message-seal.ts';
import { createNoticeQueue } from '../../messages/notice-queue.ts';
import { createOutboxNotices } from '../../outbox/outbox-notices.ts';
import type { Config } from '../../platform/config/config.ts';
import type { InstallationSecrets } from '../../platform/installation-secrets.ts';
import { keyPurposes } from '../../platform/secrets/key-purposes.ts';

/** Stores notices of an operator's changes. The command does not send them: a server finds them within minutes. */
export function commandNotices(
  { messenger }: Pick<Config, 'messenger'>,
  secrets: Pick<InstallationSecrets, 'keysFor'>,
): QueueNotice {
  const clock = (): Date => new Date();
  if (messenger.kind === 'outbox') return createAccountNotices(createOutboxNotices(clock));
  const { email, sms } = messenger;
  return createAccountNotices(
    createNoticeQueue({
      clock,
      channels: { email, ...(sms && { sms }) },
      seal: createMessageSeal(secrets.keysFor(keyPurposes.messages)),
      planAttempt: async () => {},
    }),
  );
}
