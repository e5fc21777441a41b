import { expect, it } from 'vitest';
import { viewerRights } from './viewer-policy.ts';

const ann = { identityId: 'eu-west-1:ann', identityPoolId: 'eu-west-1:pool', authenticated: true };

const OWN = [
  ['iot:Connect', 'client/eu-west-1:ann'],
  ['iot:Connect', 'client/eu-west-1:ann.tab1'],
  ['iot:Publish', 'topic/deviceportal/viewers/eu-west-1:ann/watch'],
  ['iot:Subscribe', 'topicfilter/deviceportal/viewers/eu-west-1:ann/live'],
  ['iot:Receive', 'topic/deviceportal/viewers/eu-west-1:ann/live'],
] as const;

it.each(OWN)('grants a viewer its own topics: %s %s', (action, resource) => {
  expect(viewerRights(ann)(action, resource)).toBe(true);
});

it.each(OWN)('grants a guest nothing: %s %s', (action, resource) => {
  expect(viewerRights({ ...ann, authenticated: false })(action, resource)).toBe(false);
});

it.each([
  ['iot:Connect', 'client/eu-west-1:anna'],
  ['iot:Connect', 'client/eu-west-1:bob.tab1'],
  ['iot:Connect', 'client/0198c0de-0000-7000-8000-000000000000'],
  ['iot:Publish', 'topic/deviceportal/viewers/eu-west-1:ann/live'],
  ['iot:Publish', 'topic/deviceportal/viewers/eu-west-1:bob/watch'],
  ['iot:Publish', 'topic/deviceportal/devices/1/down/command'],
  ['iot:Subscribe', 'topicfilter/deviceportal/viewers/eu-west-1:bob/live'],
  ['iot:Subscribe', 'topicfilter/deviceportal/viewers/+/live'],
  ['iot:Subscribe', 'topicfilter/deviceportal/viewers/eu-west-1:ann/#'],
  ['iot:Subscribe', 'topicfilter/#'],
  ['iot:Subscribe', 'topicfilter/$share/g/deviceportal/viewers/eu-west-1:ann/live'],
  ['iot:Receive', 'topic/deviceportal/viewers/eu-west-1:bob/live'],
] as const)('grants nothing else: %s %s', (action, resource) => {
  expect(viewerRights(ann)(action, resource)).toBe(false);
});

it('grants no topics of other viewers to an identity id that contains a wildcard', () => {
  const may = viewerRights({ ...ann, identityId: 'eu-west-1:*' });
  expect(may('iot:Subscribe', 'topicfilter/deviceportal/viewers/eu-west-1:bob/live')).toBe(false);
});
