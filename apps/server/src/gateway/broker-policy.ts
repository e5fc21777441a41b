import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { mayDevicePublish, mayDeviceSubscribe } from '@deviceportal/device-protocol/topics';
import type { ConnectRequest } from './device-transport.ts';

/** Who a connection belongs to, as its certificate or its signed URL proved. */
export type BrokerIdentity =
  | ({ readonly kind: 'device' } & ConnectRequest)
  | { readonly kind: 'viewer'; readonly viewerId: string };

/**
 * A client id ends another connection of the same id, so nobody may use one that could be somebody else's:
 * a device uses its own id, a viewer its viewer id, alone or followed by a dot and whatever tells tabs apart.
 */
export function mayConnect(identity: BrokerIdentity, clientId: string): boolean {
  if (identity.kind === 'device') return clientId === identity.deviceId;
  return clientId === identity.viewerId || clientId.startsWith(`${identity.viewerId}.`);
}

export function mayPublish(identity: BrokerIdentity, topic: string): boolean {
  return identity.kind === 'device'
    ? mayDevicePublish(identity.deviceId, topic)
    : topic === watchTopic(identity.viewerId);
}

export function maySubscribe(identity: BrokerIdentity, filter: string): boolean {
  return identity.kind === 'device'
    ? mayDeviceSubscribe(identity.deviceId, filter)
    : filter === liveTopic(identity.viewerId);
}
