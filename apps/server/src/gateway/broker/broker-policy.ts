import { mayDevicePublish, mayDeviceSubscribe } from '@deviceportal/device-protocol/topics';
import type { ConnectRequest } from '../device-transport.ts';
import type { ViewerRights } from './viewer-policy.ts';

/** The owner of a connection, as proved by its certificate or its signed URL. */
export type BrokerIdentity =
  | ({ readonly kind: 'device' } & ConnectRequest)
  | { readonly kind: 'viewer'; readonly viewerId: string; readonly may: ViewerRights };

/**
 * A new connection ends another one with the same client id. Therefore a device may use only its own id, and a viewer
 * what its policy allows.
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

/** Whether a message that the server sends to a viewer may reach this connection. */
export function mayReceive(identity: BrokerIdentity | undefined, topic: string): boolean {
  return identity?.kind === 'viewer' && identity.may('iot:Receive', `topic/${topic}`);
}
