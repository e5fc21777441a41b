import fc from 'fast-check';
import { parser, type IPublishPacket } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { publishPacket } from './publish-packet.ts';

const read = (bytes: Buffer): IPublishPacket[] => {
  const packets: IPublishPacket[] = [];
  const reader = parser();
  reader.on('packet', (packet) => void packets.push(packet as IPublishPacket));
  reader.on('error', (error) => {
    throw error;
  });
  reader.parse(bytes);
  return packets;
};

const topic = fc.stringMatching(/^[a-zé/]{1,40}$/);

test('is read by an MQTT parser as it was written', () => {
  fc.assert(
    fc.property(topic, fc.string({ unit: 'grapheme' }), fc.string(), (on, payload, end) => {
      const packet = publishPacket(on, payload, Buffer.from(end));
      const [found, ...further] = read(Buffer.concat([packet, publishPacket(on, 'next')]));
      expect(found).toMatchObject({ topic: on, qos: 0, retain: false, dup: false });
      expect(found?.payload.toString()).toBe((payload + end).toWellFormed());
      expect(further.map((next) => next.payload.toString())).toEqual(['next']);
    }),
  );
});

test.each([0, 1, 100, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])(
  'states its length when %i bytes follow the topic',
  (bytes) => {
    const packets = read(publishPacket('a', 'x'.repeat(bytes)));
    expect(packets.map(({ payload }) => payload.length)).toEqual([bytes]);
  },
);
