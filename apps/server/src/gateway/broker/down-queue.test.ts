import { expect, test } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import type { DownMessage } from '../device-transport.ts';
import { DownQueue } from './down-queue.ts';
import { packDown } from './packed-down.ts';

/** Clients that write like the broker: its own packets one turn later. */
function openQueue(): { readonly queue: DownQueue; readonly written: string[] } {
  const written: string[] = [];
  const queue = new DownQueue({
    acknowledge: (_id, payload) => void written.push(payload),
    deliver: (_id, { payload, sharedEnd }) =>
      void written.push(payload + (sharedEnd?.toString() ?? '')),
    send: (_id, { payload }) => void globalThis.setImmediate(() => written.push(payload)),
  });
  return { queue, written };
}

const message = (channel: DownMessage['channel'], payload: string): DownMessage => ({
  ...{ deviceId: 'device', channel, payload, qos: 1 },
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

test('a command does not overtake the keys that it is signed with, nor its cancellation the command', async () => {
  const { queue, written } = openQueue();
  queue.add(packDown([message('run-keys', 'keys'), message('command', 'first')]));
  queue.add(packDown([message('cancel', 'cancel first'), message('command', 'second')]));
  await turns(10);
  expect(written).toEqual(['keys', 'first', 'cancel first', 'second']);
});

test('sends a command to many devices in order, over several turns, without delaying acknowledgements', async () => {
  const { queue, written } = openQueue();
  const commands = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  queue.add(
    packDown(commands.map((payload) => ({ ...message('command', payload), sharedEnd: '!' }))),
  );
  queue.add(packDown([message('ack', 'acknowledged')]));
  expect(written.indexOf('acknowledged')).toBeLessThan(commands.length);
  expect(written).toContain('acknowledged');
  await turns(20);
  expect(written.filter((payload) => payload !== 'acknowledged')).toEqual(
    commands.map((payload) => `${payload}!`),
  );
});
