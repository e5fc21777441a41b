import { internalHostsOf } from '../../platform/outside/internal-hosts.ts';
import { createTextVault } from '../../commands/output/text-vault.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { keyPurposes } from '../../platform/secrets/key-purposes.ts';
import { deliverTickets } from '../../tickets/deliver-tickets.ts';
import type { TicketsDeps } from '../../tickets/tickets-deps.ts';
import type { Composition } from '../composition.ts';

const DELIVER_EVERY_MS = 2_000;

/** What is needed to reach the ticket system, for servers that test it and servers that deliver. */
export const composeTicketSending = ({
  platform,
  secrets,
}: Composition): TicketsDeps['tickets'] => ({
  vault: createTextVault(secrets.keysFor(keyPurposes.tickets)),
  internalHosts: internalHostsOf(platform.config.alertInternalHosts),
});

/** Sends what cases report to the ticket system in the background. */
export function composeTickets(composition: Composition): void {
  const { platform, resources, clock } = composition;
  const { database, logger, publicUrl } = platform;
  const sending = { database, clock, publicUrl, tickets: composeTicketSending(composition) };
  resources.use(
    repeat(async () => void (await deliverTickets(sending)), {
      everyMs: DELIVER_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'ticket delivery failed'),
    }),
  );
}
