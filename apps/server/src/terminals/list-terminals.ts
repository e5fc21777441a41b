import {
  terminalPermissions,
  type DeviceTerminals,
  type TerminalSessionSummary,
} from '@deviceportal/contract/terminals';
import { findTerminalOffer } from '../devices/data/connections/terminal-offers.ts';
import { findDevice } from '../devices/find-device.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findConsentRule } from './data/consent-queries.ts';
import { listTerminals, type TerminalRow } from './data/terminal-queries.ts';
import type { TerminalDeps } from './terminal-deps.ts';

/** Whether a device offers terminals, and its latest sessions. */
export async function listDeviceTerminals(
  { database }: Pick<TerminalDeps, 'database'>,
  viewer: Viewer,
  { deviceId: reference }: { readonly deviceId: string },
): Promise<DeviceTerminals> {
  const deviceId = await findDevice(database.orm, viewer, {
    reference,
    permissions: terminalPermissions,
  });
  const [{ offer, asksConsent, model }, rows] = await Promise.all([
    findTerminalOffer(database.orm, deviceId),
    listTerminals(database.orm, deviceId),
  ]);
  const consent = await findConsentRule(database.orm, model);
  const sessions = rows.map((row) => toSummary(row, viewer));
  return { offer, asksConsent, consent, sessions };
}

/** Users are masked without `people:read`. */
export function toSummary(row: TerminalRow, viewer: Viewer): TerminalSessionSummary {
  const { id, state, userId, reason, endReason, exitCode, account } = row;
  return {
    ...{ id, state, userId, reason, endReason, exitCode, account },
    username: maskUser(row.username, viewer),
    openedAt: row.openedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    recordedBytes: row.recordedBytes,
    sha256: row.sha256,
    isExpired: row.expiredAt !== null,
  };
}
