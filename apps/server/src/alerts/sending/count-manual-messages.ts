import { newId } from '@deviceportal/contract/ids';
import type { TextVault } from '../../commands/output/text-vault.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  insertManualMessages,
  manualMessagesOf,
  manualMessagesTo,
} from '../data/manual-message-queries.ts';
import type { DestinationContent } from '../destinations/sealed-destination.ts';

/**
 * Counts messages that a user sends by hand, for the user and for each address. A removed and repeated destination, or
 * one of another user, has the same address.
 * @throws PortalError 2004 beyond a limit
 */
export async function countManualMessages(
  tx: Transaction,
  { userId }: Pick<Viewer, 'userId'>,
  sent: {
    readonly content: DestinationContent;
    readonly vault: Pick<TextVault, 'fingerprint'>;
    readonly at: Date;
  },
): Promise<void> {
  const { content, vault, at } = sent;
  const addresses = [...new Set(addressesOf(content))]
    .map((address) => vault.fingerprint(address))
    // The order in which their counts are locked.
    .toSorted();
  for (const address of addresses) {
    const existing = manualMessagesOf(userId, at);
    await requireRoom(tx, { limit: 'alertTests', of: userId, existing });
    await requireRoom(tx, {
      ...{ limit: 'alertTestsOfAddress', of: address },
      existing: manualMessagesTo(address, at),
    });
    await insertManualMessages(tx, [{ id: newId(), userId, address, sentAt: at }]);
  }
}

function addressesOf(content: DestinationContent): readonly string[] {
  switch (content.kind) {
    case 'email':
      return content.addresses.map((address) => `email ${mailboxOf(address)}`);
    case 'pagerduty':
      return [`pagerduty ${content.routingKey}`];
    case 'webhook':
    case 'slack':
    case 'teams':
      return [`url ${addressOf(new URL(content.url))}`];
  }
}

/** Without the query, which could be varied. */
const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** Providers ignore the part after a plus sign, and upper case. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*@/, '@');
