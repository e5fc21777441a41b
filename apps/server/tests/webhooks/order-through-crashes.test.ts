import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { startReceiver } from '../alerts/alerts-fixture.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { isThorough } from '../support/is-thorough.ts';
import { eventsOf, WebhooksFixture } from './webhooks-fixture.ts';

let db: TestDatabase;
let devices: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  devices = await seedDevices(
    db.database,
    Array.from({ length: 5 }, (_, at) => ({ name: `device-${at}` })),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const step = fc.oneof(
  fc.record({ kind: fc.constant('happen' as const), devices: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('prepare' as const), statements: fc.nat(14) }),
  fc.record({ kind: fc.constant('deliver' as const), statements: fc.nat(14) }),
  fc.record({ kind: fc.constant('answer' as const), status: fc.constantFrom(200, 503) }),
);

/** Runs until it ends or its server is killed after some statements. */
async function untilKilled(
  hooks: WebhooksFixture,
  { kind, statements }: { readonly kind: 'prepare' | 'deliver'; readonly statements: number },
): Promise<void> {
  const crash = new CrashInjector();
  crash.killAfter(statements);
  const work: Promise<unknown> = hooks[kind](crash.wrap(db.database));
  await work.catch((error: unknown) => expect(isKilled(error)).toBe(true));
  // Longer than an attempt keeps what it has claimed.
  hooks.pass(1.1);
}

test('servers that are killed at any statement lose no event, and keep the order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await db.database.pool.query('delete from webhook; delete from webhook_delivery');
      await using receiver = await startReceiver();
      const hooks = new WebhooksFixture(db);
      await hooks.webhook(await hooks.owner(), receiver.url, ['device.online', 'device.offline']);
      const happened: string[] = [];
      for (const each of steps) {
        if (each.kind === 'answer') receiver.answers.status = each.status;
        else if (each.kind === 'happen') {
          const online = randomInt(2) === 0;
          const chosen = devices.slice(0, each.devices);
          await hooks.happen(online ? 'device.connected' : 'device.disconnected', chosen);
          for (const id of chosen) happened.push(`${online ? 'online' : 'offline'} ${id}`);
        } else await untilKilled(hooks, each);
      }
      receiver.answers.status = 200;
      for (let round = 0; round < 30; round += 1) {
        await hooks.run();
        hooks.pass(31);
      }
      const first = new Map<number, string>();
      let last = 0;
      for (const { type, sequence, data } of eventsOf(receiver.received)) {
        const said = `${type.replace('device.', '')} ${data.id}`;
        // A repeated request repeats the last ones; a new number is the next one.
        expect(sequence).toBeLessThanOrEqual(last + 1);
        expect(first.get(sequence) ?? said).toBe(said);
        first.set(sequence, said);
        last = Math.max(last, sequence);
      }
      expect([...first.values()]).toEqual(happened);
    }),
    { numRuns: isThorough ? 200 : 12 },
  );
});

test('an entry of a transaction that commits late is sent after those before it', async () => {
  await db.database.pool.query('delete from webhook; delete from webhook_delivery');
  await using receiver = await startReceiver();
  const hooks = new WebhooksFixture(db);
  await hooks.webhook(await hooks.owner(), receiver.url, ['device.created', 'device.offline']);
  const [late = '', early = ''] = devices;
  await inTransaction(db.database, async (tx) => {
    await recordAudit(tx, [{ type: 'device.disconnected', actor: systemActor, deviceId: late }]);
    await hooks.happen('device.created', [early]);
    await hooks.run();
  });
  await hooks.happen('device.created', [late]);
  await hooks.run();
  expect(eventsOf(receiver.received).map(({ type, data }) => `${type} ${data.id}`)).toEqual([
    `device.created ${early}`,
    `device.offline ${late}`,
    `device.created ${late}`,
  ]);
});
