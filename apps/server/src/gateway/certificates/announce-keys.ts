import { publishRing, type PublishedRing } from '@deviceportal/command-signing/publish-ring';
import type { KeyRingMessage, StatusMessage } from '@deviceportal/device-protocol/messages';
import { protocolOf } from '@deviceportal/device-protocol/protocol-version';
import { writeAgents } from '../../devices/data/connections/served-instances.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DownMessage } from '../device-transport.ts';

/** The key rings that devices pin. */
export interface DeviceKeys {
  readonly runs: PublishedRing;
  readonly releases: PublishedRing;
}

/** What a birth message contains about the keys that its device trusts. */
export interface BirthKeys {
  readonly deviceId: string;
  readonly status: Pick<StatusMessage, 'instanceId' | 'runKeys' | 'releaseKeys'>;
}

interface Birth extends BirthKeys {
  readonly status: BirthKeys['status'] &
    Pick<StatusMessage, 'protocol' | 'terminal' | 'terminalConsent' | 'files' | 'webPages'>;
}

/** Stores which protocol agents use, which keys they verify signatures with, and what they offer. */
export async function recordAgents(tx: Transaction, births: readonly Birth[]): Promise<void> {
  if (births.length === 0) return;
  await writeAgents(
    tx,
    births.map(({ status }) => ({
      id: status.instanceId,
      protocol: protocolOf(status),
      runKeyIds: status.runKeys ?? null,
      releaseKeyIds: status.releaseKeys ?? null,
      terminalOffer: status.terminal ?? null,
      terminalConsent: status.terminalConsent ?? false,
      filesOffer: status.files ?? null,
      webPages: status.webPages === undefined ? null : JSON.stringify(status.webPages),
    })),
  );
}

/**
 * The key rings for devices that have pinned others. An agent whose birth message does not mention a ring does not
 * support it.
 */
export async function keysFor(
  births: readonly BirthKeys[],
  keys: DeviceKeys,
  now: Date,
): Promise<DownMessage[]> {
  const pinnedBy = {
    runs: ({ status }: BirthKeys) => status.runKeys,
    releases: ({ status }: BirthKeys) => status.releaseKeys,
  };
  const messages: DownMessage[] = [];
  for (const name of ['runs', 'releases'] as const) {
    const stale = births.filter((birth) => isStale(pinnedBy[name](birth), keys[name]));
    if (stale.length === 0) continue;
    const message: KeyRingMessage = await publishRing(name, keys[name], now);
    const payload = JSON.stringify(message);
    messages.push(
      ...stale.map(({ deviceId }) => ({ deviceId, channel: 'run-keys', payload, qos: 1 }) as const),
    );
  }
  return messages;
}

function isStale(pinned: readonly string[] | undefined, ring: PublishedRing): boolean {
  if (pinned === undefined) return false;
  const wanted = ring.pinned.map(({ keyId }) => keyId);
  return wanted.length !== pinned.length || wanted.some((keyId) => !pinned.includes(keyId));
}
