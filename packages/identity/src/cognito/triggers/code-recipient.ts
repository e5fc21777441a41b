import { parseIdentifier } from '../user-pool/identifier.ts';
import type { CreateAuthChallengeEvent, VerifyAuthChallengeEvent } from './challenge-triggers.ts';
import { codeDestination, maskDestination, type CodeDestination } from './code-destination.ts';

/** Recipient of a code, with the information for the browser. */
export interface CodeRecipient {
  /** Undefined if there is no reachable recipient. */
  readonly destination: CodeDestination | undefined;
  readonly person: string;
  /** Subject of the limit whose rejections the client sees. */
  readonly visible: string;
  readonly shown: { readonly medium: CodeDestination['channel']; readonly destination?: string };
}

/** The owner of a code, the same in all triggers. */
export function personOf(event: CreateAuthChallengeEvent | VerifyAuthChallengeEvent): string {
  return event.request.userAttributes['sub'] ?? `nobody ${event.userName.toLowerCase()}`;
}

/** @param hidesUsers if true, the shown data depends only on the typed name, not on whether the user exists */
export function recipientOf(event: CreateAuthChallengeEvent, hidesUsers: boolean): CodeRecipient {
  const { userAttributes, userNotFound, identifier = event.userName } = event.request;
  const destination =
    userNotFound === true ? undefined : codeDestination(userAttributes, identifier);
  const person = personOf(event);
  if (hidesUsers) {
    const { text, phoneNumber } = parseIdentifier(identifier);
    const visible = `typed ${phoneNumber ?? text.toLowerCase()}`;
    return { destination, person, visible, shown: shownOfTyped(text, phoneNumber) };
  }
  return {
    destination,
    person,
    visible: person,
    shown:
      destination === undefined
        ? { medium: 'email' }
        : { medium: destination.channel, destination: maskDestination(destination) },
  };
}

function shownOfTyped(text: string, phoneNumber: string | undefined): CodeRecipient['shown'] {
  if (phoneNumber !== undefined) {
    const masked = maskDestination({ channel: 'sms', to: phoneNumber });
    return { medium: 'sms', destination: masked };
  }
  return text.includes('@')
    ? { medium: 'email', destination: maskDestination({ channel: 'email', to: text }) }
    : { medium: 'email' };
}
