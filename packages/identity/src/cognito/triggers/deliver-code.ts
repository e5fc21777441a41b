import {
  MessageRefusedError,
  type AskedFrom,
  type CodePurpose,
  type Messenger,
} from '../../messenger.ts';
import { ChallengeDeliveryError } from './challenge-triggers.ts';
import type { CodeDestination } from './code-destination.ts';

/** Shorter than the time limit of a trigger, because a repeated trigger would send a second code. */
const DELIVERY_LIMIT_MS = 4_000;

export interface CodeToDeliver {
  readonly destination: CodeDestination;
  readonly digits: string;
  /** Default: sign-in. */
  readonly purpose?: CodePurpose;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly attributes: Readonly<Record<string, string>>;
  readonly askedFrom: AskedFrom | undefined;
}

/** @throws ChallengeDeliveryError if the messenger rejects the message or takes too long */
export async function deliverCode(messenger: Messenger, code: CodeToDeliver): Promise<void> {
  const { destination, digits, attributes, purpose = 'login', ...rest } = code;
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The messenger took more than ${DELIVERY_LIMIT_MS} ms.`)),
    DELIVERY_LIMIT_MS,
  );
  try {
    const sent = messenger.send({
      ...rest,
      ...destination,
      kind: 'code',
      purpose,
      code: digits,
      person: attributes['sub'],
      locale: attributes['locale'] ?? attributes['custom:locale'],
      timeZone: attributes['zoneinfo'],
    });
    await Promise.race([sent, timeout]);
  } catch (error) {
    const words =
      error instanceof MessageRefusedError
        ? 'The code could not be delivered: the address or number was refused.'
        : 'The code could not be sent.';
    throw new ChallengeDeliveryError(words, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
