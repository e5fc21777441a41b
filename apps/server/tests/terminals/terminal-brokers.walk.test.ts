import { describe, expect, test } from 'vitest';
import { mosquitto, nats, rmqtt } from '../support/brokers/transport-engine.ts';
import { until } from '../support/gateway-fixture.ts';
import { openTerminalFixture } from './terminal-fixture.ts';

const engines = [mosquitto, nats, rmqtt];
for (const { lacks } of engines)
  if (lacks !== undefined) process.stdout.write(`Skipped: terminals by ${lacks}.\n`);

describe.each(engines)('a terminal by $name', ({ open, lacks }) => {
  test.skipIf(lacks !== undefined)(
    'passes keys and output in order, and continues after the device has reconnected',
    async () => {
      await using fixture = await openTerminalFixture({ openEngine: open });
      const sessionId = await fixture.open();
      const browser = fixture.attach(sessionId);
      await until(() => browser.isOpen, 30_000);
      browser.type('X=kept; i=0; while [ $i -lt 20000 ]; do echo line-$i-; i=$((i+1)); done\r');
      await until(() => browser.text.includes('line-19999-\r'), 60_000);
      const numbers = [...browser.text.matchAll(/line-(\d+)-\r/g)].map(([, number]) =>
        Number(number),
      );
      expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index));

      fixture.agent.agent?.disconnect();
      browser.type('echo $X-here\r');
      await until(() =>
        browser.messages.some((message) => message.kind === 'device' && !message.isReachable),
      );
      fixture.agent.agent?.connect();
      await until(() => browser.text.includes('kept-here'), 30_000);
      browser.type('exit 3\r');
      expect(await until(() => browser.ending)).toMatchObject({ reason: 'exited', exitCode: 3 });
    },
    120_000,
  );
});
