import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_LABELS } from '@deviceportal/contract/ids';
import { growthLimits, type GrowthLimitName } from '@deviceportal/contract/growth-limits';
import type { PortalErrorData } from '@deviceportal/contract/errors';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { seedPerson } from '../../cases/case-fixture.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import type { ApiAnswer } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const AT_ONCE = 4;
const DOCUMENT = `schemaVersion: '2.2'
mainSteps:
  - { action: aws:runShellScript, name: go, inputs: { runCommand: ['true'] } }`;

let portal: TestServer;
let database: Database;
let admin: AccessFixture;
let viewer: AccessFixture;
let devices: readonly string[];

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  viewer = await AccessFixture.open(portal, 'viewer');
  await viewer.session();
  devices = await seedDevices(
    database,
    Array.from({ length: 6 }, (_, index) => ({
      serialNumber: `GROW-${index}`,
      connectivity: 'offline',
    })),
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

interface Growing {
  /** Adds one more, each time with another index. */
  readonly add: (index: number) => Promise<ApiAnswer>;
  readonly table: string;
  /** Columns that must differ in a copy of a row, as a JSON object; `n` is the number of the copy. */
  readonly differs: SQL;
  /** The row to copy; default: any. */
  readonly like?: SQL;
  /** The rows that count; default: those of `like`. */
  readonly counted?: SQL;
}

/** Copies the row that the product itself created. */
async function copy({ table, differs, like = sql`true` }: Growing, count: number): Promise<void> {
  const name = sql.identifier(table);
  await database.orm.execute(sql`
    insert into ${name}
    select (jsonb_populate_record(null::${name}, to_jsonb(t) || ${differs})).*
    from (select * from ${name} t where ${like} limit 1) t cross join generate_series(1, ${count}) n`);
}

const portalOf = ({ body }: ApiAnswer): PortalErrorData | undefined =>
  (body as { error?: { json: { data: { portal: PortalErrorData } } } }).error?.json.data.portal;

const withId = sql`jsonb_build_object('id', gen_random_uuid())`;
const asNewEvent = sql`jsonb_build_object('id', audit_event_id(n), 'at', audit_clock())`;
const target = { kind: 'devices', deviceIds: [] as string[] };
const onDevice = (index = 0) => ({ ...target, deviceIds: [devices[index] ?? ''] });
const run = () => ({
  command: 'logs/tail',
  target: onDevice(),
  idempotencyKey: randomUUID(),
});

const closeCases = () =>
  database.orm.execute(sql`update support_case set state = 'closed' where state = 'open'`);

/** A case opened by the administrator; earlier ones are backdated by a day. */
async function openCase(): Promise<string> {
  await closeCases();
  await database.orm.execute(
    sql`update support_case set opened_at = opened_at - interval '2 days'`,
  );
  const { id: personId } = await seedPerson(database, 'Grow');
  return (await admin.done<{ id: string }>('cases.open', { personId })).id;
}

const growing: Readonly<Partial<Record<GrowthLimitName, () => Promise<Growing>>>> = {
  savedViews: async () => ({
    table: 'saved_view',
    differs: withId,
    add: (index) =>
      viewer.order('devices.saveView', { name: `View ${index}`, screen: 'devices', search: {} }),
  }),
  deviceNotes: async () => ({
    table: 'device_note',
    differs: withId,
    add: (index) => admin.order('devices.addNote', { deviceId: devices[0], text: `Note ${index}` }),
  }),
  deviceWaits: async () => ({
    table: 'device_wait',
    differs: sql`jsonb_build_object('device_id', gen_random_uuid())`,
    add: (index) =>
      viewer.order('notifications.waitForDevice', { deviceId: devices[index], wait: true }),
  }),
  openClaims: async () => ({
    table: 'claim',
    differs: sql`jsonb_build_object('id', gen_random_uuid(), 'token_hash', '\\x' || md5(n::text))`,
    add: () => admin.order('devices.createClaim', {}),
  }),
  openRuns: async () => ({
    table: 'command_run',
    differs: sql`jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', gen_random_uuid())`,
    add: () => admin.order('commands.run', run()),
  }),
  openRollouts: async () => ({
    table: 'air_blast',
    differs: sql`jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', gen_random_uuid())`,
    add: (index) =>
      admin.order('airBlast.plan', {
        name: `Rollout ${index}`,
        change: { kind: 'document', document: 'DevicePortal-storage-clean', parameters: {} },
        target: onDevice(),
        idempotencyKey: randomUUID(),
      }),
  }),
  schedules: async () => ({
    table: 'run_schedule',
    differs: withId,
    add: (index) =>
      admin.order('schedules.create', {
        ...{ command: 'logs/tail', target: onDevice(), id: randomUUID(), name: `Later ${index}` },
        times: { kind: 'once', at: new Date(Date.now() + 86_400_000).toISOString() },
      }),
  }),
  openCases: async () => {
    const people: string[] = [];
    for (let index = 0; index <= AT_ONCE; index += 1)
      people.push((await seedPerson(database, `Grow ${index}`)).id);
    return {
      table: 'support_case',
      differs: sql`jsonb_build_object('id', gen_random_uuid(), 'person_id', gen_random_uuid())`,
      add: (index) => admin.order('cases.open', { personId: people[index] }),
    };
  },
  cases: async () => {
    const people: string[] = [];
    for (let index = 0; index <= AT_ONCE; index += 1)
      people.push((await seedPerson(database, `Grow a day ${index}`)).id);
    await closeCases();
    return {
      table: 'support_case',
      differs: sql`jsonb_build_object('id', gen_random_uuid(), 'person_id', gen_random_uuid(), 'state', 'closed')`,
      add: (index) => admin.order('cases.open', { personId: people[index] }),
    };
  },
  caseNotes: async () => {
    const id = await openCase();
    return {
      table: 'case_entry',
      like: sql`kind = 'note' and case_id = ${id}`,
      differs: withId,
      add: (index) => admin.order('cases.addNote', { id, text: `Note ${index}` }),
    };
  },
  caseUpdates: async () => {
    const id = await openCase();
    return {
      table: 'case_entry',
      like: sql`kind = 'updated' and case_id = ${id}`,
      differs: withId,
      add: (index) => admin.order('cases.update', { id, ticket: `T-${index}`, about: '' }),
    };
  },
  accessRequests: async () => {
    const roles: string[] = [];
    for (let index = 0; index <= AT_ONCE; index += 1)
      roles.push((await admin.createRole(`Grow ${index}`, ['devices:manage'])).id);
    return {
      table: 'access_grant',
      differs: sql`jsonb_build_object('id', gen_random_uuid(), 'state', 'refused')`,
      add: (index) =>
        viewer.order('access.accessGrants.ask', { roleId: roles[index], reason: 'To grow' }),
    };
  },
  roles: async () => ({
    table: 'role',
    differs: sql`jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n)`,
    like: sql`not builtin`,
    counted: sql`true`,
    add: (index) =>
      admin.order('access.roles.create', {
        ...{ name: `More ${index}`, permissions: ['devices:read'], scope: {} },
      }),
  }),
  invitations: async () => ({
    table: 'audit_event',
    like: sql`type = 'access.user-invited'`,
    differs: asNewEvent,
    add: (index) =>
      admin.order('access.users.invite', { identifier: `grow-${index}@example.com`, roleIds: [] }),
  }),
  documents: async () => ({
    table: 'document',
    like: sql`not builtin`,
    differs: sql`jsonb_build_object('name', 'acme-copy-' || n)`,
    add: (index) =>
      admin.order('documents.create', {
        ...{ name: `acme-grow-${index}`, consequence: 'reads', content: DOCUMENT },
      }),
  }),
  versionApprovals: async () => {
    await admin.done('versions.register', { component: 'approved', version: '1.0.0' });
    await admin.done('versions.changeState', {
      ...{ component: 'approved', version: '1.0.0', state: 'approved' },
    });
    return {
      table: 'version_approval',
      differs: sql`jsonb_build_object('component', 'copy-' || n)`,
      add: (index) =>
        admin.order('versions.approve', {
          ...{ component: 'approved', version: '1.0.0', model: `M${index}`, country: 'DE' },
        }),
    };
  },
  softwareVersions: async () => ({
    table: 'software_version',
    differs: sql`jsonb_build_object('version', '9.' || n)`,
    add: (index) =>
      admin.order('versions.register', { component: 'grow', version: `1.0.${index}` }),
  }),
  auditExports: async () => ({
    table: 'audit_event',
    like: sql`type = 'audit-trail.exported'`,
    differs: asNewEvent,
    add: () => admin.order('auditTrail.export', { format: 'json' }),
  }),
  personRecords: async () => ({
    table: 'audit_event',
    like: sql`type = 'people.record-exported'`,
    differs: asNewEvent,
    add: () => admin.order('personalData.exportOwn', {}),
  }),
};

test.each(Object.keys(growing) as GrowthLimitName[])(
  'concurrent requests cannot exceed the limit of %s',
  async (limit) => {
    const one = await growing[limit]?.();
    if (one === undefined) throw new Error(limit);
    const first = await one.add(0);
    expect(first).toMatchObject({ status: 200 });
    const { rows } = await database.orm.execute<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(one.table)} where ${one.counted ?? one.like ?? sql`true`}`,
    );
    await copy(one, growthLimits[limit].most - (rows[0]?.count ?? 0) - 1);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => one.add(index + 1)),
    );
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(made.map(({ body }) => body)).toHaveLength(1);
    for (const answer of refused) {
      expect(portalOf(answer)).toMatchObject({
        code: 2004,
        facts: { reason: 'limitReached', limit, most: growthLimits[limit].most },
      });
    }
  },
);

/** Every further request at the limit is rejected. */
async function expectRefused(limit: GrowthLimitName, answer: Promise<ApiAnswer>): Promise<void> {
  expect(portalOf(await answer)).toMatchObject({
    code: 2004,
    facts: { reason: 'limitReached', limit, most: growthLimits[limit].most },
  });
}

test('a user cannot add versions to a document without limit', async () => {
  const name = 'acme-grow-0';
  const like = sql`document_name = ${name}`;
  const differs = sql`jsonb_build_object('version', n + 1)`;
  const { most } = growthLimits.documentVersions;
  await copy({ table: 'document_version', like, differs, add: admin.session as never }, most - 1);
  const content = `${DOCUMENT}\n# More\n`;
  await expectRefused(
    'documentVersions',
    admin.order('documents.addVersion', { name, basedOn: 1, content }),
  );
});

test('neither one user nor all together can accumulate reports', async () => {
  const { id: personId } = await seedPerson(database, 'Grow reports');
  await database.orm.execute(
    sql`update device set owner_id = ${personId} where id = ${devices[0]}`,
  );
  const ask = () => admin.order('reports.request', { personId, parts: ['account'] });
  const first = await ask();
  expect(first.body).toMatchObject({ result: {} });
  const state = async () =>
    (
      await database.orm.execute<{ state: string }>(
        sql`select state from report where created_by_id is not null order by created_at limit 1`,
      )
    ).rows[0]?.state;
  await expect.poll(state, { timeout: 15_000 }).toBe('ready');
  const running = sql`'state', 'running', 'ended_at', null, 'beat_at', now() + interval '1 hour'`;
  const like = sql`state = 'ready'`;
  const more = (differs: SQL, count: number) =>
    copy({ table: 'report', like, differs, add: ask }, count);
  const othersOnly = sql`'created_by_id', gen_random_uuid()`;

  await more(
    sql`jsonb_build_object('id', gen_random_uuid(), ${running})`,
    growthLimits.openReports.most,
  );
  await expectRefused('openReports', ask());
  await database.orm.execute(sql`update report set ended_at = now() where ended_at is null`);

  await more(
    sql`jsonb_build_object('id', gen_random_uuid(), ${othersOnly}, ${running})`,
    growthLimits.openReportsOfAll.most,
  );
  await expectRefused('openReportsOfAll', ask());
  await database.orm.execute(sql`update report set ended_at = now() where ended_at is null`);

  await more(sql`jsonb_build_object('id', gen_random_uuid())`, growthLimits.reports.most);
  await expectRefused('reports', ask());

  const { reportId: id } = first.data as { reportId: string };
  const share = () => admin.order('reports.share', { id, redaction: {}, validSeconds: 3_600 });
  expect(await share()).toMatchObject({ status: 200 });
  await copy(
    { table: 'report_share', differs: withId, add: share },
    growthLimits.openShares.most - 1,
  );
  await expectRefused('openShares', share());
});

test('unused pasted lists make room, and those in use are not lost', async () => {
  const paste = (name: string) =>
    viewer.order('devices.createTargetList', { name, text: 'SN-1\nSN-2' });
  const lists = async () =>
    (
      await database.orm.execute<{ name: string }>(
        sql`select name from target_list order by created_at`,
      )
    ).rows.map(({ name }) => name);
  const { data } = await paste('used');
  const { id } = data as { id: string };
  await paste('forgotten');
  const { rowCount } = await database.orm.execute(
    sql`delete from saved_view where owner_id = (select id from portal_user where username like 'viewer@%')`,
  );
  expect(rowCount).toBeGreaterThan(0);
  await viewer.done('devices.saveView', {
    name: 'Uses',
    screen: 'devices',
    search: { targets: id },
  });
  const half = growthLimits.targetListEntries.most / 2;
  await database.orm.execute(sql`update target_list set count = ${half}`);
  expect(await paste('new')).toMatchObject({ status: 200 });
  expect(await lists()).toEqual(['used', 'new']);

  await database.orm.execute(
    sql`update target_list set count = ${growthLimits.targetListEntries.most} where id = ${id}`,
  );
  await expectRefused('targetListEntries', paste('more'));
  expect(await lists()).toEqual(['used', 'new']);
});

test('a user cannot appear as a viewer of every device at once', async () => {
  const ids = await seedDevices(
    database,
    Array.from({ length: 60 }, () => ({})),
  );
  for (const deviceId of ids) await viewer.done('presence.announce', { deviceId, leaving: false });
  const { rows } = await database.orm.execute(
    sql`select count(*)::int as count from device_presence`,
  );
  expect(rows).toEqual([{ count: 50 }]);
});

test('a user cannot close and reopen a case without limit, and work on an open case is not rejected', async () => {
  const id = await openCase();
  const close = () => admin.done('cases.close', { id, outcome: 'resolved' });
  const reopen = () => admin.order('cases.reopen', { id });
  await close();
  expect(await reopen()).toMatchObject({ status: 200 });
  const like = sql`kind = 'reopened' and case_id = ${id}`;
  const { most } = growthLimits.caseReopenings;
  await copy({ table: 'case_entry', like, differs: withId, add: reopen }, most - 1);
  for (let times = 0; times < 3; times += 1) {
    expect(await reopen()).toMatchObject({ status: 200 });
    expect(await admin.order('cases.leave')).toMatchObject({ status: 200 });
    expect(await admin.order('cases.enter', { id })).toMatchObject({ status: 200 });
  }
  const { rows } = await database.orm.execute<{ kinds: string[] }>(sql`
    select array_agg(distinct kind order by kind) as kinds, count(*) from case_entry where case_id = ${id}`);
  expect(rows).toMatchObject([
    { kinds: ['closed', 'opened', 'reopened'], count: String(most + 2) },
  ]);
  await close();
  await expectRefused('caseReopenings', reopen());
});

test('rows of lists and data of audit events stay small', async () => {
  const [id = ''] = await seedDevices(database, [{}]);
  const labels = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`label-${index}`, 'x']));
  const update = (count: number) => admin.order('devices.update', { id, labels: labels(count) });
  expect(await update(MOST_LABELS)).toMatchObject({ status: 200 });
  expect(await update(MOST_LABELS + 1)).toMatchObject({ code: 2004 });
  const save = (count: number) => {
    const parameters = Array.from({ length: count }, (_, index) => [
      `p${index}`,
      'x'.repeat(2_000),
    ]);
    const search = Object.fromEntries(parameters) as Record<string, string>;
    return viewer.order('devices.saveView', { name: 'Large', screen: 'devices', search });
  };
  expect(await save(3)).toMatchObject({ status: 200 });
  expect(await save(5)).toMatchObject({ code: 2004 });
});
