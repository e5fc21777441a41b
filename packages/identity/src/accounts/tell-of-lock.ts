import type { Clock } from '../clock.ts';
import type { RecordIdentityEvent } from '../identity-event.ts';
import type { Messenger } from '../messenger.ts';
import { MOST_WRONG_GUESSES, type OnAccountLocked } from './account-guesses.ts';

/**
 * Records an account lock and notifies the owner. Active sessions continue, and an administrator
 * can unlock the account. The message is sent in the background, so that timing reveals nothing.
 */
export function tellOfLock(options: {
  readonly clock: Clock;
  readonly record: RecordIdentityEvent;
  readonly messenger: Messenger;
  /** URL whose root is the address of the portal. */
  readonly address: string;
  readonly onInternalError: (error: unknown, what: string) => void;
}): OnAccountLocked {
  const { clock, record, messenger, onInternalError } = options;
  const portalUrl = new URL('/', options.address).href;
  return ({ account, address, userAgent, requestId }) => {
    const at = new Date(clock.now());
    record({
      ...{ kind: 'accountLocked', at, sub: account.id, username: account.username, address },
      ...(requestId !== undefined && { requestId }),
      detail: `${MOST_WRONG_GUESSES} incorrect codes or passwords in a row`,
    });
    if (account.contact === undefined) return;
    const notice = {
      ...{ kind: 'account-locked' as const, ...account.contact, username: account.username, at },
      ...{ portalUrl, person: account.id, locale: account.locale, timeZone: account.timeZone },
      askedFrom: { address, userAgent },
    };
    void messenger
      .send(notice)
      .catch((error: unknown) => onInternalError(error, 'notification of a locked account'));
  };
}
