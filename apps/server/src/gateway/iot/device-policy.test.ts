import { describe, expect, test } from 'vitest';
import { evaluatePolicy } from '@deviceportal/identity/evaluate-policy';
import { parsePolicy } from '@deviceportal/identity/parse-policy';
import { newId } from '@deviceportal/contract/ids';
import {
  downChannels,
  downFilter,
  downTopic,
  upChannels,
  upTopic,
} from '@deviceportal/device-protocol/topics';
import { devicePolicyDocument } from './device-policy.ts';

const [own, other] = [newId(), newId()];

describe.each([
  ['aws', 'eu-central-1'],
  ['aws-cn', 'cn-north-1'],
])('the policy of devices in the partition %s', (partition, region) => {
  const document = devicePolicyDocument({ partition, region, account: '111122223333' });
  const policy = parsePolicy(document);
  const isAllowed = (
    action: string,
    resource: string,
    context: Readonly<Record<string, string>> = {
      'iot:Connection.Thing.ThingName': own,
      'iot:Connection.Thing.IsAttached': 'true',
    },
  ): boolean =>
    evaluatePolicy([policy], {
      action: `iot:${action}`,
      resource: `arn:${partition}:iot:${region}:111122223333:${resource}`,
      context,
    }) === 'allowed';
  const everything = (deviceId: string): [string, string][] => [
    ['Connect', `client/${deviceId}`],
    ...upChannels.map((channel): [string, string] => [
      'Publish',
      `topic/${upTopic(deviceId, channel)}`,
    ]),
    ['Subscribe', `topicfilter/${downFilter(deviceId)}`],
    ...downChannels.map((channel): [string, string] => [
      'Receive',
      `topic/${downTopic(deviceId, channel)}`,
    ]),
  ];

  test('allows everything that an agent does', () => {
    const refused = everything(own).filter(([action, resource]) => !isAllowed(action, resource));
    expect(refused).toEqual([]);
  });

  test('allows nothing of another device, and nothing without a thing', () => {
    const allowed = everything(other).filter(([action, resource]) => isAllowed(action, resource));
    expect(allowed).toEqual([]);
    const nameless = everything(own).filter(([action, resource]) =>
      isAllowed(action, resource, {}),
    );
    expect(nameless).toEqual([]);
  });

  test.each([
    ['Subscribe', `topicfilter/deviceportal/devices/+/down/+`],
    ['Subscribe', `topicfilter/deviceportal/devices/#`],
    ['Subscribe', `topicfilter/deviceportal/devices/${own}/+/+`],
    ['Subscribe', `topicfilter/#`],
    ['Publish', `topic/deviceportal/devices/${own}/down/command`],
    ['Publish', `topic/deviceportal/devices/${own}/up/journal/more`],
    ['Publish', `topic/deviceportal/devices/${own}/up/other`],
    ['Publish', `topic/$aws/things/${own}/shadow/update`],
    ['Receive', `topic/deviceportal/devices/${own}/up/journal`],
    ['RetainPublish', `topic/deviceportal/devices/${own}/up/status`],
  ])('refuses %s on %s', (action, resource) => {
    expect(isAllowed(action, resource)).toBe(false);
  });

  test('is short enough for AWS IoT', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(2_048);
  });
});
