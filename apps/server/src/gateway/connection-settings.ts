import { createHash } from 'node:crypto';
import type { ConnectionMessage, HeartbeatMessage } from '@deviceportal/device-protocol/messages';
import type { DownMessage } from './device-transport.ts';

const REVISION_CHARACTERS = 16;

/** Servers with the same settings have the same revision. */
export function describeConnection(
  settings: Omit<ConnectionMessage, 'revision'>,
): ConnectionMessage {
  const { brokerUrls, subscriptionQos, heartbeatSeconds, ...others } = settings;
  const text = JSON.stringify([
    ...[brokerUrls, subscriptionQos, heartbeatSeconds],
    ...(Object.keys(others).length === 0 ? [] : [others]),
  ]);
  const revision = createHash('sha256').update(text).digest('base64url');
  return { revision: revision.slice(0, REVISION_CHARACTERS), ...settings };
}

interface Reporting {
  readonly deviceId: string;
  readonly heartbeat: Pick<HeartbeatMessage, 'connectionRevision'>;
}

/**
 * The connection settings, for devices that have others. An agent whose heartbeat does not mention a revision does not
 * support them.
 */
export function connectionFor(
  heartbeats: readonly Reporting[],
  connection: ConnectionMessage,
): DownMessage[] {
  const payload = JSON.stringify(connection);
  return heartbeats
    .filter(
      ({ heartbeat: { connectionRevision: known } }) =>
        known !== undefined && known !== connection.revision,
    )
    .map(({ deviceId }) => ({ deviceId, channel: 'connection', payload, qos: 1 }));
}
