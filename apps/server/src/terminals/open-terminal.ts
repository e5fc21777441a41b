import { createHash } from 'node:crypto';
import { statementTypes, signStatement } from '@deviceportal/command-signing/signed-statement';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import {
  TERMINAL_LIMITS,
  type OpenedTerminal,
  type openTerminalInput,
} from '@deviceportal/contract/terminals';
import type { TerminalStatement } from '@deviceportal/device-protocol/terminal-message';
import type { z } from 'zod';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findTerminalOffer } from '../devices/data/connections/terminal-offers.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { findConsentRule } from './data/consent-queries.ts';
import {
  countOpen,
  insertTerminal,
  lockOpenings,
  type OpenCounts,
} from './data/terminal-queries.ts';
import type { TerminalDeps } from './terminal-deps.ts';

/** How long a device may open a session after it was requested. */
const OPEN_WITHIN_MS = 60_000;

/**
 * Asks a device for a terminal. The device answers to the browser that attaches to the session.
 *
 * @throws PortalError 6000 for a device outside the scope; 2004 if it offers no terminal, its model
 * forbids terminals or requires a consent that it cannot ask for, it is not connected, or too many are open
 */
export async function openTerminal(
  deps: TerminalDeps,
  caller: Caller,
  { deviceId: reference, reason, columns, rows }: z.infer<typeof openTerminalInput>,
): Promise<OpenedTerminal> {
  const { database, clock, signing, terminalLines, changes } = deps;
  const { viewer } = caller;
  const permissions = ['terminal:open'] as const;
  const deviceId = await findDevice(database.orm, viewer, { reference, permissions });
  const { offer, isConnected, model, asksConsent } = await findTerminalOffer(
    database.orm,
    deviceId,
  );
  const rule = await findConsentRule(database.orm, model);
  if (rule === 'forbidden') throw refuse('terminal-forbidden', { facts: { model: model ?? '' } });
  if (offer !== 'available') throw refuse('terminal-not-offered', { facts: { offer } });
  if (rule === 'required' && !asksConsent) throw refuse('terminal-consent-not-possible');
  if (!isConnected) throw refuse('terminal-device-offline');
  const owner = { userId: viewer.userId, deviceId };
  // Without a lock: many requests beyond the limits cost one statement each.
  requireRoomFor(await countOpen(database.orm, owner));
  const id = newId();
  const statement: TerminalStatement = {
    session: id,
    deviceId,
    authorizedBy: { id: viewer.userId },
    userName: viewer.username.slice(0, 200),
    reason: reason.slice(0, 1_000),
    needsConsent: rule === 'required',
    openBefore: new Date(clock().getTime() + OPEN_WITHIN_MS).toISOString(),
  };
  const signed = await signStatement(statementTypes.terminal, statement, signing.keys.current);
  await inTransaction(database, async (tx) => {
    await lockOpenings(tx);
    requireRoomFor(await countOpen(tx, owner));
    await insertTerminal(tx, {
      ...{ ...owner, id, reason, columns, rows },
      username: viewer.username,
      signInId: viewer.signInId ?? null,
      needsConsent: rule === 'required',
      requestSha256: createHash('sha256').update(signed.payload).digest('hex'),
    });
    await recordAudit(tx, [
      {
        type: 'terminal.opened',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        deviceId,
        data: { sessionId: id, purpose: reason, needsConsent: rule === 'required' },
      },
    ]);
  });
  changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
  terminalLines.send(deviceId, { kind: 'open', session: id, columns, rows, statement: signed });
  return { sessionId: id };
}

function requireRoomFor({ user, device, all }: OpenCounts): void {
  const { perUser, perDevice, inAll } = TERMINAL_LIMITS;
  if (user >= perUser) throw refuse('terminals-of-user', { facts: { most: perUser } });
  if (device >= perDevice) throw refuse('terminals-of-device', { facts: { most: perDevice } });
  if (all >= inAll) throw refuse('terminals-of-portal', { facts: { most: inAll } });
}
