/**
 * MQTT topics between a device and the gateway. A device can publish only below its `up/` topic and
 * subscribe only below its `down/` topic.
 */

const DEVICES = 'deviceportal/devices';

export const upChannels = [
  'status',
  'heartbeat',
  'journal',
  'renew',
  'metrics',
  'terminal',
  'files',
  'web-page',
] as const;
/**
 * From the device: birth and will, self-check, journal, certificate requests, metrics, terminals, files,
 * and web pages.
 */
export type UpChannel = (typeof upChannels)[number];

export const downChannels = [
  'ack',
  'command',
  'cancel',
  'certificate',
  'authorities',
  'run-keys',
  'connection',
  'metrics-ack',
  'terminal',
  'files',
  'web-page',
] as const;
/**
 * To the device: journal acknowledgment, command, cancellation, renewed certificate, trusted
 * certificate authorities, key rings, connection settings, metrics acknowledgment, terminals, files,
 * and web pages.
 */
export type DownChannel = (typeof downChannels)[number];

export const upTopic = (deviceId: string, channel: UpChannel): string =>
  `${DEVICES}/${deviceId}/up/${channel}`;

export const downTopic = (deviceId: string, channel: DownChannel): string =>
  `${DEVICES}/${deviceId}/down/${channel}`;

/** Subscription filter of a device. */
export const downFilter = (deviceId: string): string => `${DEVICES}/${deviceId}/down/+`;

/** Subscription filter of the gateway. */
export const allUpFilter = `${DEVICES}/+/up/+`;

export interface UpAddress {
  readonly deviceId: string;
  readonly channel: UpChannel;
}

/** The device and channel of an upstream topic; undefined for any other topic. */
export function parseUpTopic(topic: string): UpAddress | undefined {
  const [root, devices, deviceId, direction, channel, ...rest] = topic.split('/');
  if (`${root}/${devices}` !== DEVICES || direction !== 'up' || rest.length > 0) return undefined;
  const known = upChannels.find((candidate) => candidate === channel);
  return deviceId && known ? { deviceId, channel: known } : undefined;
}

export function mayDevicePublish(deviceId: string, topic: string): boolean {
  return parseUpTopic(topic)?.deviceId === deviceId;
}

export function mayDeviceSubscribe(deviceId: string, filter: string): boolean {
  return (
    filter === downFilter(deviceId) ||
    downChannels.some((channel) => filter === downTopic(deviceId, channel))
  );
}
