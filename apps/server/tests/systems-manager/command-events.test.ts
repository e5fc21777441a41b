import { expect, test } from 'vitest';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startElasticMq } from '../../../../packages/aws/tests/parts/start-elasticmq.ts';
import { createTestQueue } from '../../../../packages/aws/tests/parts/test-queue.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import { commandOfEvent, consumeEvents } from '../../src/systems-manager/event-consumer.ts';
import { quietLogger, until } from '../support/gateway-fixture.ts';
import { NEW_AGENT, openRunCommandFixture } from './run-command-fixture.ts';

/** As EventBridge sends it (Systems Manager User Guide, Amazon EventBridge event examples). */
const eventOf = (commandId: string, status: string): string =>
  JSON.stringify({
    ...{ version: '0', id: 'event', account: '123456789012', region: 'eu-central-1' },
    'detail-type': 'EC2 Command Invocation Status-change Notification',
    source: 'aws.ssm',
    detail: { 'command-id': commandId, 'instance-id': 'i-told', status },
  });

test.skipIf(lacks('ElasticMQ'))(
  'an event in the queue ends a command that would be read much later',
  async () => {
    await using part = await startElasticMq();
    const queue = await createTestQueue(part);
    await using fixture = await openRunCommandFixture(
      [{ id: 'i-told', isOnline: true, agentVersion: NEW_AGENT }],
      { readSeconds: 3_600 },
    );
    const { createSqsQueue } = await loadAws('sqs-queue', 'test');
    const messages = createSqsQueue({ ...part, url: queue.url });
    const { engine, ssm } = fixture;
    await using _consumer = consumeEvents({ messages, engine, logger: quietLogger });
    await fixture.sync();
    const deviceId = await fixture.deviceOf('i-told');
    const run = await fixture.runShell([deviceId], 'sleep 1; echo done');
    await until(async () => ssm.commands[0]?.invocations[0]?.status === 'Success', 20_000);
    const id = ssm.commands[0]?.id ?? '';
    await queue.send([
      'no event',
      eventOf('00000000-0000-0000-0000-000000000000', 'Success'),
      eventOf(id, 'Success'),
      eventOf(id, 'InProgress'),
    ]);
    expect((await fixture.ended(run.id, deviceId)).stdout.text).toBe('done\n');
    await until(async () => {
      const { waiting, received } = await queue.count();
      return waiting + received === 0;
    });
  },
  60_000,
);

test.each([
  ['not JSON', '{'],
  [
    'an event of another service',
    JSON.stringify({ source: 'aws.ec2', detail: { 'command-id': 'x' } }),
  ],
  ['an event without a command', JSON.stringify({ source: 'aws.ssm', detail: {} })],
])('%s names no command', (_what, body) => {
  expect(commandOfEvent(body)).toBeNull();
});
