import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type {
  TicketSystem,
  TicketSystemSettings,
  TicketSystemTest,
} from '@deviceportal/contract/ticket-systems';
import { requireAllowedUrl } from '../platform/outside/require-allowed-url.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { sendFailure } from '../platform/deliveries/send-failure.ts';
import type { Caller } from '../platform/viewer.ts';
import { clientOf } from './client-of.ts';
import {
  countOpenDeliveries,
  deleteSystem,
  findSystem,
  saveSystem,
} from './data/ticket-queries.ts';
import { TicketRefused } from './systems/ticket-client.ts';
import type { TicketsDeps } from './tickets-deps.ts';

const SHOWN_END = 4;

/** The connection without its secret; null if there is none. */
export async function getTicketSystem({
  database: { orm },
  tickets: { vault },
}: Pick<TicketsDeps, 'database' | 'tickets'>): Promise<TicketSystem | null> {
  const found = await findSystem(orm);
  if (found === undefined) return null;
  const secret = vault.openText(found.id, found.sealed);
  return {
    settings: found.settings,
    secretEnd: `••••${secret.slice(-SHOWN_END)}`,
    changedAt: found.changedAt.toISOString(),
    ...(await countOpenDeliveries(orm)),
  };
}

/**
 * Connects a ticket system, or changes the connection. A stored secret is kept only for the same address and account, so
 * that it cannot be sent elsewhere.
 * @throws PortalError 2004 for an address that is not allowed, or without a secret
 */
export async function saveTicketSystem(
  deps: Pick<TicketsDeps, 'database' | 'tickets'>,
  caller: Caller,
  { secret: given, ...rest }: TicketSystemSettings,
): Promise<void> {
  const { database, tickets } = deps;
  await requireAllowedUrl(rest.url, tickets.internalHosts, ['url']);
  const settings = { ...rest, secret: '' } as TicketSystemSettings;
  await inTransaction(database, async (tx) => {
    const before = await findSystem(tx);
    const isSame =
      before !== undefined &&
      before.settings.url === settings.url &&
      before.settings.account === settings.account;
    const secret =
      given !== '' ? given : isSame ? tickets.vault.openText(before.id, before.sealed) : '';
    if (secret === '') throw refuse('ticket-secret-missing', { field: 'secret' });
    const id = newId();
    await saveSystem(tx, { id, settings, sealed: tickets.vault.sealText(id, secret) });
    await recordAudit(tx, [
      {
        type: 'settings.ticket-system-saved',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: {
          ...{ system: settings.kind, url: settings.url, shares: settings.shares },
          secretChanged: given !== '',
        },
      },
    ]);
  });
}

/** Disconnects the ticket system. What waits is given up; tickets and links are kept. */
export async function removeTicketSystem(
  { database }: Pick<TicketsDeps, 'database'>,
  caller: Caller,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const found = await findSystem(tx);
    if (found === undefined) return;
    await deleteSystem(tx);
    await recordAudit(tx, [
      {
        type: 'settings.ticket-system-removed',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { system: found.settings.kind, url: found.settings.url },
      },
    ]);
  });
}

/** Asks the connected system whether its account and its settings are accepted. It creates nothing. */
export async function testTicketSystem({
  database: { orm },
  tickets: { vault, internalHosts },
}: Pick<TicketsDeps, 'database' | 'tickets'>): Promise<TicketSystemTest> {
  const found = await findSystem(orm);
  if (found === undefined) throw refuse('ticket-system-missing');
  const secret = vault.openText(found.id, found.sealed);
  try {
    await clientOf(found.settings, { secret, hosts: internalHosts }).test();
    return { ok: true, error: null };
  } catch (error) {
    const { reason } = error instanceof TicketRefused ? error.failure : sendFailure({ error });
    return { ok: false, error: reason };
  }
}
