import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DownMessage } from '../../src/gateway/device-transport.ts';
import { packDown, unpackDown } from '../../src/gateway/broker/packed-down.ts';

const message = fc.record<DownMessage>(
  {
    deviceId: fc.uuid(),
    channel: fc.constantFrom('command', 'ack', 'certificate'),
    payload: fc.string(),
    sharedEnd: fc.constantFrom('', '"a":1}', '"é":2}'),
    qos: fc.constantFrom(0, 1),
  },
  { requiredKeys: ['deviceId', 'channel', 'payload', 'qos'] },
);

it('passes each device its whole message, in order, across a thread', () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const crossed = structuredClone(packDown(messages));
      const received = unpackDown(crossed).map(({ payload, sharedEnd, ...rest }) => ({
        ...rest,
        payload: payload + (sharedEnd?.toString() ?? ''),
      }));
      expect(received).toEqual(
        messages.map(({ sharedEnd = '', payload, ...rest }) => ({
          ...rest,
          payload: payload + sharedEnd,
        })),
      );
    }),
  );
});

it('posts an end that many messages share once', () => {
  const messages = Array.from({ length: 1_000 }, (_, index): DownMessage => ({
    deviceId: `device-${index}`,
    channel: 'command',
    payload: '{',
    sharedEnd: '"content":"the same for all"}',
    qos: 1,
  }));
  expect(packDown(messages).sharedEnds).toEqual(['"content":"the same for all"}']);
});
