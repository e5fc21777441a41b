import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { generate, type Packet } from 'mqtt-packet';
import { WebSocket } from 'ws';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { getCloudCredentials, signPath } from '../live-client.ts';

/** The address at which the browser of one user opens live channels. */
export interface LiveDoor {
  readonly url: string;
  readonly identityId: string;
  readonly path: string;
}

/** With a signed URL of the user. */
export async function openLiveDoor(url: string, idToken: string): Promise<LiveDoor> {
  const { IdentityId: identityId, Credentials: keys } = await getCloudCredentials(url, idToken);
  return { url, identityId, path: await signPath(url, { keys, path: '/mqtt' }) };
}

/** The packets that a browser sends on its live channel. */
export function livePackets({ identityId }: LiveDoor): readonly Packet[] {
  const watches = [{ kind: 'devices', ids: [randomUUID()] }, { kind: 'fleet' }];
  const publish = { cmd: 'publish', retain: false, dup: false } as const;
  const said = { topic: watchTopic(identityId), payload: JSON.stringify({ watches }) };
  return [
    { ...publish, ...said, qos: 0 },
    { ...publish, ...said, qos: 1, messageId: 7 },
    { ...publish, ...said, qos: 2, messageId: 8 },
    { cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: liveTopic(identityId), qos: 0 }] },
    { cmd: 'unsubscribe', messageId: 3, unsubscriptions: [liveTopic(identityId)] },
    { cmd: 'pubrel', messageId: 8 },
    { cmd: 'pingreq' },
    connectPacket(identityId),
    { cmd: 'disconnect' },
  ];
}

const connectPacket = (identityId: string): Packet => ({
  ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
  clientId: `${identityId}.${randomUUID()}`,
});

/** Sends bytes as WebSocket messages over one connection, optionally after a complete packet, and disconnects. */
export async function sendLivePackets(
  { url, identityId, path }: LiveDoor,
  sent: readonly Uint8Array[],
  { isGreeting }: { readonly isGreeting: boolean },
): Promise<void> {
  const socket = new WebSocket(`ws://${new URL(url).host}${path}`, 'mqtt');
  socket.on('error', () => {});
  await once(socket, 'open');
  const closed = once(socket, 'close');
  if (isGreeting) socket.send(generate(connectPacket(identityId)));
  for (const bytes of sent) socket.send(bytes);
  socket.close();
  await closed;
}
