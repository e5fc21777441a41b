import {
  downTopic,
  parseUpTopic,
  upTopic,
  type DownChannel,
  type UpAddress,
  type UpChannel,
} from '@deviceportal/device-protocol/topics';

/**
 * Topics of devices as NATS names them: levels are separated by dots
 * (https://docs.nats.io/running-a-nats-service/configuration/mqtt#topic-naming). NATS escapes dots within a level as
 * `//`, and so no other topic becomes one of these subjects.
 */
const subjectOf = (topic: string): string => topic.replaceAll('/', '.');

export const upSubject = (deviceId: string, channel: UpChannel): string =>
  subjectOf(upTopic(deviceId, channel));

export const downSubject = (deviceId: string, channel: DownChannel): string =>
  subjectOf(downTopic(deviceId, channel));

/** The device and channel of an upstream subject; undefined for any other subject. */
export const parseUpSubject = (subject: string): UpAddress | undefined =>
  subject.includes('/') ? undefined : parseUpTopic(subject.replaceAll('.', '/'));

/** What a device may publish and subscribe. */
export const rightsOf = (
  deviceId: string,
): { readonly publish: string; readonly subscribe: string } => ({
  publish: subjectOf(upTopic(deviceId, 'status')).replace(/status$/, '*'),
  subscribe: subjectOf(downTopic(deviceId, 'ack')).replace(/ack$/, '*'),
});
