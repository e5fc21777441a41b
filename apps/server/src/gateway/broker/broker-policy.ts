import { mayDevicePublish, mayDeviceSubscribe } from '@deviceportal/device-protocol/topics';
import type { ConnectRequest } from '../device-transport.ts';
import type { ViewerRights } from './viewer-policy.ts';

/** Who a connection belongs to, as its certificate or its signed URL proved. */
export type BrokerIdentity =
  | ({ readonly kind: 'device' } & ConnectRequest)
  | { readonly kind: 'viewer'; readonly viewerId: string; readonly may: ViewerRights };

/**
 * A client id ends another connection of the same id, so nobody may use one that could be somebody else's:
 * a device uses its own id, a viewer what its policy grants.
 */
export function mayConnect(identity: BrokerIdentity, clientId: string): boolean {
  return identity.kind === 'device'
    ? clientId === identity.deviceId
    : identity.may('iot:Connect', `client/${clientId}`);
}

export function mayPublish(identity: BrokerIdentity, topic: string): boolean {
  return identity.kind === 'device'
    ? mayDevicePublish(identity.deviceId, topic)
    : identity.may('iot:Publish', `topic/${topic}`);
}

export function maySubscribe(identity: BrokerIdentity, filter: string): boolean {
  return identity.kind === 'device'
    ? mayDeviceSubscribe(identity.deviceId, filter)
    : identity.may('iot:Subscribe', `topicfilter/${filter}`);
}

/** Whether what the server sends to a viewer may reach it. */
export function mayReceive(identity: BrokerIdentity | undefined, topic: string): boolean {
  return identity?.kind === 'viewer' && identity.may('iot:Receive', `topic/${topic}`);
}
