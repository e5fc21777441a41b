import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalized } from '../../src/commands/data/answer-normalizer.ts';
import { applyInvocationEntries } from '../../src/commands/execution/apply-invocation-entries.ts';
import { saveAnswerView } from '../../src/commands/answers/save-answer-view.ts';
import { getAnswer, listAnswers } from '../../src/commands/answers/list-answers.ts';
import { listInvocations } from '../../src/commands/invocations/list-invocations.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  type CommandFixture,
  createCommandFixture,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

interface Said {
  readonly deviceId: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly statusDetails?: string;
}

/** Sets the rows as after the reports of the devices. */
async function end(runId: string, all: readonly Said[]): Promise<void> {
  for (const { deviceId, stdout, stderr, exitCode = 0, statusDetails = 'Success' } of all) {
    const { rows } = await test.database.orm.execute(sql`
      update invocation set state = case when ${exitCode} = 0 then 'Success' else 'Failed' end,
        status_details = ${statusDetails}, response_code = ${exitCode}, ended_at = now()
      where run_id = ${runId} and device_id = ${deviceId} returning id`);
    const pieces = [
      ...[...(stdout ?? '').matchAll(/[^]{1,7}/gu)].map((part) => ({ stream: 'stdout', part })),
      ...[...(stderr ?? '').matchAll(/[^]{1,7}/gu)].map((part) => ({ stream: 'stderr', part })),
    ];
    for (const { stream, part } of pieces) {
      await test.database.orm.execute(sql`
        insert into invocation_output (invocation_id, stream, "offset", text)
        values (${rows[0]?.['id']}, ${stream}, ${part.index}, ${part[0]})`);
    }
  }
}

/** A stream in pieces, as sent by agents. */
async function say(runId: string, deviceId: string, stream: string, text: string): Promise<void> {
  for (const part of text.matchAll(/[^]{1,16000}/gu)) {
    await test.database.orm.execute(sql`
      insert into invocation_output (invocation_id, stream, "offset", text)
      select id, ${stream}, ${part.index}, ${part[0]} from invocation
      where run_id = ${runId} and device_id = ${deviceId}`);
  }
}

const runOn = (deviceIds: string[], input: Partial<Parameters<typeof runInput>[0]> = {}) =>
  runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'restart/device', target: { kind: 'devices', deviceIds }, ...input }),
  );

describe('normalization', () => {
  it.each([
    ['up since 2026-11-20T22:38:52.123Z', 'up since <time>'],
    ['up since 2026-11-20 22:38:52,5 +01:00.', 'up since <time>.'],
    ['Fri Nov 20 22:38:52 UTC 2026 ok', '<time> ok'],
    ['Nov  2 08:01:02 host sshd[4711]: done', '<time> host sshd[<id>]: done'],
    ['at 22:38:52 on 2026-11-20', 'at <time> on <date>'],
    ['epoch 1795213132 and 1795213132123', 'epoch <time> and <time>'],
    ['10.0.0.7:443 and 192.0.2.7/24', '<address> and <address>/24'],
    ['link/ether 0a:1b:2c:3d:4e:5f', 'link/ether <address>'],
    ['inet6 fe80::1a2b:3cff:fe4d:5e6f%eth0 and ::1', 'inet6 <address> and <address>'],
    ['2001:db8:0:0:1:0:0:1', '<address>'],
    ['id 5f0f6d3e-3a50-4b0a-9f61-0f2f5ad4ff10', 'id <id>'],
    ['sha 9f86d081884c7d659a2feaa0c55ad015', 'sha <id>'],
    ['time=12.3 ms, took 0.25s', 'time=<duration>, took <duration>'],
    ['spaces  \r\nnext', 'spaces\nnext'],
  ])('replaces %j by %j', async (text, expected) => {
    const { rows } = await test.database.orm.execute(
      sql`select ${normalized(sql`${text}::text`)} as normal`,
    );
    expect(rows[0]?.['normal']).toBe(expected);
  });

  it.each([
    'version 1.2.3 of 10.4',
    'std::string, crate::path::item',
    'exit 1, 42 of 100 files, 500107862016 bytes',
    'a timeout of 30 s',
    'disk /dev/sda1 at 93%',
    'facade defaced accessed',
  ])('keeps %j', async (text) => {
    const { rows } = await test.database.orm.execute(
      sql`select ${normalized(sql`${text}::text`)} as normal`,
    );
    expect(rows[0]?.['normal']).toBe(text);
  });
});

describe('the distinct outputs of a run', () => {
  it('group equal outputs, even if they contain the name of the device and the time', async () => {
    const [one = '', two = '', three = '', four = ''] = await seedDevices(test.database, [
      { serialNumber: 'AN-000001' },
      { serialNumber: 'AN-000002' },
      { serialNumber: 'AN-000003' },
      {},
    ]);
    const run = await runOn([one, two, three, four]);
    await end(run.id, [
      { deviceId: one, stdout: 'AN-000001 ok at 10:00:00\nfrom 10.0.0.1\n' },
      { deviceId: two, stdout: 'AN-000002 ok at 11:22:33\nfrom 10.9.0.200\n' },
      {
        deviceId: three,
        stdout: 'AN-000003 ok at 10:00:00',
        stderr: 'disk full',
        exitCode: 3,
        statusDetails: 'Failed',
      },
    ]);
    const found = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
    expect(found).toMatchObject({ distinct: 2, unread: 0 });
    expect(found.answers).toMatchObject([
      {
        count: 2,
        statusDetails: 'Success',
        responseCode: 0,
        text: '<device> ok at <time>\nfrom <address>\n',
      },
      {
        count: 1,
        statusDetails: 'Failed',
        responseCode: 3,
        text: '<device> ok at <time>disk full',
      },
    ]);
    expect(found.answers[0]?.sample.map(({ serialNumber }) => serialNumber)).toEqual([
      'AN-000001',
      'AN-000002',
    ]);
    await end(run.id, [{ deviceId: four, stdout: 'else' }]);
    const later = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
    expect(later.answers.map(({ count }) => count)).toEqual([2, 1, 1]);
    const first = found.answers[0]?.sha256 ?? '';
    expect(await getAnswer(fixture.deps, operator, { runId: run.id, sha256: first })).toMatchObject(
      {
        count: 2,
      },
    );
  });

  it('can be run again on exactly their devices, and saved as a view', async () => {
    const [one = '', two = '', three = ''] = await seedDevices(test.database, [
      {},
      {},
      { serialNumber: null },
    ]);
    const run = await runOn([one, two]);
    await end(run.id, [
      { deviceId: one, stdout: 'A' },
      { deviceId: two, stdout: 'B' },
    ]);
    const { answers } = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
    const sha256 = answers.find(({ text }) => text === 'B')?.sha256 ?? '';
    const again = await rerunCommand(fixture.deps, operator, {
      runId: run.id,
      onlyFailed: false,
      answer: sha256,
      agreement: nothingShown,
      confirmation: '',
      idempotencyKey: randomUUID(),
      origin,
    });
    expect(again).toMatchObject({ deviceId: two, counters: { target: 1 } });
    const kept = await saveAnswerView(
      fixture.deps,
      { viewer: operator, ...origin },
      { runId: run.id, sha256, name: 'said B' },
    );
    expect(kept).toMatchObject({ devices: 1, withoutSerialNumber: 0 });
    const listed = await listDevices(fixture.deps, operator, {
      filter: { text: '', tokens: [], operation: 'and', targetListId: kept.targetListId },
      sort: 'name',
      descending: false,
      pageSize: 25,
      cursor: null,
    });
    expect(listed.rows.map(({ id }) => id)).toEqual([two]);
    expect(three).not.toBe('');
  });

  it('count only devices in scope, and do not exist for a run out of scope', async () => {
    const [german = '', french = ''] = await seedDevices(test.database, [{}, { country: 'FR' }]);
    const run = await runOn([german, french]);
    await end(run.id, [
      { deviceId: german, stdout: 'A' },
      { deviceId: french, stdout: 'only in France' },
    ]);
    const scope = (country: string) =>
      viewerWith('Operator', { countries: [country], models: [], labels: {} });
    const seen = await listAnswers(fixture.deps, scope('DE'), { id: run.id, ranges: false });
    expect(seen).toMatchObject({ distinct: 1, unread: 0, answers: [{ text: 'A', count: 1 }] });
    const all = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
    const hidden = all.answers.find(({ text }) => text === 'only in France')?.sha256 ?? '';
    await expect(
      getAnswer(fixture.deps, scope('DE'), { runId: run.id, sha256: hidden }),
    ).rejects.toMatchObject({ code: 5000 });
    await expect(
      listAnswers(fixture.deps, scope('ES'), { id: run.id, ranges: false }),
    ).rejects.toMatchObject({
      code: 5000,
    });
  });

  describe('with a secret', () => {
    const secret = 'pw 12:34:56 x';
    const MASKED = '••••••••';

    beforeAll(async () => {
      const name = 'acme-answers';
      const content = `schemaVersion: '2.2'
parameters:
  pin: { type: String }
mainSteps:
  - action: aws:runShellScript
    name: say
    inputs: { runCommand: ['true'] }
`;
      const draft = { name, description: '', consequence: 'reads' as const, labels: {}, note: '' };
      await createDocument(fixture.deps, operator, {
        ...draft,
        secretParameters: ['pin'],
        content,
        origin,
      });
      await publishVersion(fixture.deps, operator, { name, version: 1 });
    });

    const runWithPin = (deviceIds: string[]) =>
      runOn(deviceIds, {
        command: 'document',
        document: 'acme-answers',
        parameters: { pin: secret },
      });

    it('never contain it, even if it looks like a time', async () => {
      const [one = ''] = await seedDevices(test.database, [{}]);
      const run = await runWithPin([one]);
      await end(run.id, [
        {
          deviceId: one,
          stdout: `it is \u001B[1m${secret.slice(0, 5)}\u001B[0m${secret.slice(5)}!`,
        },
      ]);
      const { answers } = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
      expect(answers[0]?.text).toBe(`it is ${MASKED}!`);
    });

    it.each([
      ['stdout', 64 * 1_024],
      ['stderr', 16 * 1_024],
    ] as const)(
      'do not contain any part of it if %s is truncated in the middle of it',
      async (stream, limit) => {
        const [one = ''] = await seedDevices(test.database, [{}]);
        const run = await runWithPin([one]);
        // Times become shorter in a distinct output, so the truncated part is well within the stored one.
        const times = '2026-11-20T22:38:52.123Z\n'.repeat(limit).slice(0, limit - 6);
        await say(run.id, one, stream, `${times.slice(0, -1)}\n${secret} and more`);
        await say(run.id, one, stream === 'stdout' ? 'stderr' : 'stdout', 'other');
        await end(run.id, [{ deviceId: one }]);
        await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
        const { rows } = await test.database.orm.execute(
          sql`select text from run_answer where run_id = ${run.id}`,
        );
        expect(rows).toHaveLength(1);
        expect(rows[0]?.['text']).toContain(MASKED);
        expect(rows[0]?.['text']).not.toContain(secret.slice(0, 2));
      },
    );

    it('do not contain its parts on both sides of the other stream, nor do lists', async () => {
      const [one = ''] = await seedDevices(test.database, [{}]);
      const run = await runWithPin([one]);
      const now = new Date();
      const { rows } = await test.database.orm.execute(
        sql`select id from invocation where run_id = ${run.id}`,
      );
      const invocationId = rows[0]?.['id'] as string;
      const base = { kind: 'invocation-output', invocationId, at: now.toISOString() } as const;
      const entries = [
        { ...base, seq: 1, stream: 'stdout', offset: 0, text: `is ${secret.slice(0, 6)}` },
        { ...base, seq: 2, stream: 'stderr', offset: 0, text: ' warning ' },
        { ...base, seq: 3, stream: 'stdout', offset: 9, text: `${secret.slice(6)}.` },
      ] as const;
      await inTransaction(test.database, async (tx) => {
        const reports = entries.map((entry) => ({ deviceId: one, deviceName: 'one', entry }));
        await (await applyInvocationEntries(tx, reports, now)).settle();
      });
      await end(run.id, [{ deviceId: one }]);
      const { rows: listed } = await listInvocations(fixture.deps, operator, {
        runId: run.id,
        deviceId: null,
        states: [],
        pageSize: 25,
        cursor: null,
      });
      expect(listed[0]?.outputPreview).toBe(`is ${'•'.repeat(secret.length)}. warning `);
      const { answers } = await listAnswers(fixture.deps, operator, { id: run.id, ranges: false });
      expect(answers[0]?.text).toBe(`is ${MASKED}. warning`);
    });
  });
});
