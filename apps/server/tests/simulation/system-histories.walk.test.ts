import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { EMBEDDED_RUNTIME_ROLE } from '../../src/platform/database/runtime-role.ts';
import { createCommandFixture } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { playInThreads } from '../support/system-histories/play-in-threads.ts';

/** A thorough run plays 1,000; `DEVICEPORTAL_TEST_SYSTEM_SEED` plays the same ones again. */
const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
const HISTORIES = Number(
  process.env['DEVICEPORTAL_TEST_SYSTEM_HISTORIES'] ?? (isThorough ? 1_000 : 120),
);
const SEED = process.env['DEVICEPORTAL_TEST_SYSTEM_SEED'];
const AT_ONCE = 40;

let template: TestDatabase;
beforeAll(async () => {
  template = await createTestDatabase();
  await createCommandFixture(template.database);
  await template.close();
});
afterAll(async () => {
  await template[Symbol.asyncDispose]();
});

/** Where many histories lead. */
const WANTED = [
  'a server killed',
  'access.accessGrants.grant done',
  'access.users.changeRoles done',
  'access.users.changeStatus done',
  'airBlast.approve done',
  'airBlast.approve refused 1000',
  'airBlast.approve refused 2004',
  'airBlast.startStep refused 8001',
  'airBlast.takeOver done',
  'change that changes sent by a rollout',
  'change that destroys sent by a rollout',
  'commands.approveRun done',
  'commands.approveRun refused 1000',
  'commands.rejectRun done',
  'commands.run refused 2001',
  'invocation Access Denied',
  'invocation Cancelled',
  'invocation Delivery Timed Out',
  'invocation Execution Timed Out',
  'invocation Failed',
  'invocation Success',
  'invocation Terminated',
  'month of the trail in a file',
  'role for a time ended by taken',
  'role for a time ended by time',
  'role for a time ended by user-left',
  'rollout done in verify',
  'rollout failed in blast: too-many-errors',
  'undo Success',
];

// A few histories do not lead everywhere.
const wanted = SEED === undefined && HISTORIES >= 1_000 ? WANTED : [];

test(
  '[system-history-1] whatever dies, is lost, doubled or out of time: nothing is lost, doubled or stuck, nothing is done without a right or another’s approval, and the trail tells all of it',
  async () => {
    const seeds =
      SEED === undefined
        ? Array.from({ length: Math.ceil(HISTORIES / AT_ONCE) }, () => randomInt(2 ** 31))
        : [Number(SEED)];
    const played = await playInThreads(seeds, {
      atOnce: AT_ONCE,
      copy: {
        serverUrl: inject('databaseUrl'),
        template: template.name,
        role: EMBEDDED_RUNTIME_ROLE,
      },
    });
    for (const { seed, faults } of played) {
      expect(faults, `DEVICEPORTAL_TEST_SYSTEM_SEED=${seed}`).toBe('');
    }
    const reached = new Set(played.flatMap((histories) => histories.coverage));
    expect([...reached]).toEqual(expect.arrayContaining(wanted));
  },
  120_000 + HISTORIES * 1_000,
);
