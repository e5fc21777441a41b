import fc from 'fast-check';
import { generate, parser, type Packet } from 'mqtt-packet';
import { expect, it } from 'vitest';
import {
  MqttDecoder,
  encodeConnect,
  encodePublish,
  encodeSubscribe,
  pingRequest,
} from './mqtt-codec.ts';

function parse(bytes: Uint8Array): Packet {
  const packets: Packet[] = [];
  const reader = parser({ protocolVersion: 4 });
  reader.on('packet', (packet: Packet) => packets.push(packet));
  reader.parse(Buffer.from(bytes));
  expect(packets).toHaveLength(1);
  return packets[0] as Packet;
}

it('a common MQTT library reads the encoded packets', () => {
  expect(parse(encodeConnect('viewer.tab', 30))).toMatchObject({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    clientId: 'viewer.tab',
  });
  expect(parse(encodeSubscribe(7, 'a/b'))).toMatchObject({
    cmd: 'subscribe',
    messageId: 7,
    subscriptions: [{ topic: 'a/b', qos: 0 }],
  });
  expect(parse(pingRequest)).toMatchObject({ cmd: 'pingreq' });
});

it('topics and payloads of any length are decoded as encoded', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z/]{1,60}$/),
      fc.string({ maxLength: 20_000 }),
      (topic, payload) => {
        const packet = parse(encodePublish(topic, payload));
        expect(packet).toMatchObject({ cmd: 'publish', topic, qos: 0 });
        expect((packet as { payload: Buffer }).payload.toString('utf8')).toBe(
          Buffer.from(payload, 'utf8').toString('utf8'),
        );
      },
    ),
    { numRuns: 30 },
  );
});

it('packets are decoded for any split of the bytes', () => {
  const bytes = Buffer.concat([
    generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
    generate({ cmd: 'suback', messageId: 1, granted: [0] }),
    generate({
      cmd: 'publish',
      topic: 'live',
      payload: 'x'.repeat(300),
      qos: 0,
      dup: false,
      retain: false,
    }),
    generate({ cmd: 'pingresp' }),
  ]);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 20, maxLength: 60 }),
      (cuts) => {
        const decoder = new MqttDecoder();
        const types: string[] = [];
        let from = 0;
        for (const size of [...cuts, bytes.length]) {
          for (const { type } of decoder.push(bytes.subarray(from, from + size))) types.push(type);
          from = Math.min(bytes.length, from + size);
        }
        expect(types).toEqual(['connack', 'suback', 'publish', 'pingresp']);
      },
    ),
    { numRuns: 50 },
  );
});
