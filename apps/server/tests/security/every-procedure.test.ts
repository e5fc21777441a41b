import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalog, type PortalErrorData } from '@deviceportal/contract/errors';
import {
  builtinRoles,
  consequences,
  everywhere,
  holds,
  plainPermissions,
  type Grant,
  type Permission,
} from '@deviceportal/contract/permissions';
import { createAppRouter, type AppRouterDependencies } from '../../src/api/app-router.ts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { seedPerson } from '../cases/case-fixture.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { generateBareInput, generateInput } from '../support/generate-input.ts';
import { mutate, query, signIn, type ApiAnswer } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

interface Procedure {
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly needs: readonly string[];
  readonly input: z.ZodType | undefined;
}

// Building the router calls none of its dependencies.
const { procedures } = createAppRouter({} as AppRouterDependencies)._def;
const all: readonly Procedure[] = Object.entries(
  procedures as unknown as Record<string, { _def: Record<string, unknown> }>,
).map(([path, { _def }]) => ({
  path,
  type: _def['type'] as Procedure['type'],
  needs: [(_def['meta'] as { permission?: string } | undefined)?.permission ?? []].flat(),
  input: (_def['inputs'] as readonly z.ZodType[])[0],
}));

/** What everybody who is signed in may call: each does nothing but with what is their own, or applies the rights itself. */
const forEverybody = [
  'access.accessGrants.ask',
  'access.accessGrants.end',
  'access.accessGrants.list',
  'access.accessGrants.made',
  'access.accessGrants.offers',
  'apiTokens.listOwn',
  'apiTokens.revoke',
  'devices.listViews',
  'devices.removeView',
  'devices.saveView',
  'explanations.explain',
  'notifications.countUnread',
  'notifications.getSettings',
  'notifications.list',
  'notifications.markRead',
  'notifications.saveSetting',
  'passkeys.add',
  'passkeys.begin',
  'passkeys.createRecoveryCodes',
  'passkeys.list',
  'passkeys.remove',
  'passkeys.rename',
  'passkeys.setSignIn',
  'personalData.exportOwn',
  'search.find',
  'session.endOtherSignIns',
  'session.endSignIn',
  'session.get',
  'session.recent',
  'session.remember',
  'session.savePreferences',
  'session.signIns',
  'stepUp.beginPasskey',
  'stepUp.confirmByApp',
  'stepUp.confirmByCode',
  'stepUp.confirmByPasskey',
  'stepUp.end',
  'stepUp.getOffers',
  'stepUp.sendCode',
];

/** Mutations around runs that start, stop or repeat none; a schedule is changed by the person who made it. */
const withoutRunRight = [
  'commands.approveRun',
  'commands.exportResults',
  'commands.keepAnswer',
  'commands.rejectRun',
  'commands.saveRules',
  'commands.setFavorite',
  'schedules.delete',
  'schedules.pause',
  'schedules.resume',
];

const everything: Permission[] = [
  ...plainPermissions,
  ...consequences.map((each) => `commands:run:@${each}` as const),
];
const french = { ...everywhere, countries: ['FR'] };
const callers: readonly { readonly name: string; readonly grants: readonly Grant[] }[] = [
  ...builtinRoles.map((role) => ({ name: role.name, grants: [role] })),
  { name: 'no role', grants: [] },
  { name: 'everything, in one country', grants: [{ permissions: everything, scope: french }] },
];

let portal: TestServer;
let database: Database;
const mailboxes = new Map<string, string>();
const tokens = new Map<string, string>();

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  const admin = await AccessFixture.open(portal, 'admin');
  await admin.createRole('French', everything, french);
  await admin.invite('nobody@example.com');
  await admin.invite('french@example.com', 'French');
  for (const { name } of builtinRoles)
    mailboxes.set(name, `${name.replace('istrator', '').toLowerCase()}@deviceportal.local`);
  mailboxes.set('no role', 'nobody@example.com');
  mailboxes.set('everything, in one country', 'french@example.com');
  for (const { name } of callers) await renew(name);
});

/** A new sign-in, on record from its first call on. */
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

async function renew(caller: string): Promise<void> {
  const token = await signIn(portal.url, mailboxes.get(caller) ?? '');
  tokens.set(caller, token);
  await query(portal.url, { path: 'session.get', token });
}

function call(
  { path, type }: Procedure,
  { input, token }: { readonly input: unknown; readonly token: string | undefined },
): Promise<ApiAnswer> {
  return (type === 'query' ? query : mutate)(portal.url, { path, input, token });
}

/** Their answer; some procedures end sign-ins, and then there is another one. */
async function answerOf(
  caller: string,
  procedure: Procedure,
  input: unknown,
): Promise<{ readonly path: string; readonly answer: ApiAnswer }> {
  const first = await call(procedure, { input, token: tokens.get(caller) });
  if (first.code !== 2001) return { path: procedure.path, answer: first };
  await renew(caller);
  return {
    path: procedure.path,
    answer: await call(procedure, { input, token: tokens.get(caller) }),
  };
}

const isRunRight = (permission: Permission): boolean => permission.startsWith('commands:run:');

/** Everybody here was let in by an administrator, also who has no role. */
const mayCall = (grants: readonly Grant[], { needs }: Procedure): boolean =>
  needs.some((name) => {
    if (name === 'session' || name === 'admitted') return true;
    if (name === 'commands:run')
      return (
        holds(grants, 'commands:read') && grants.some((grant) => grant.permissions.some(isRunRight))
      );
    return name === 'signed-in' ? grants.length > 0 : holds(grants, name as Permission);
  });

/** A fitting input, and one that makes no sense: who may not call learns nothing of either. */
const inputs = new Map(
  all.map(({ path, input }) => [
    path,
    [input === undefined ? undefined : generateInput(input), { nonsense: 'at all' }],
  ]),
);
const inputsOf = ({ path }: Procedure): readonly unknown[] => inputs.get(path) ?? [];

interface Refusal {
  readonly error?: {
    readonly json: {
      readonly data: { readonly portal: Pick<PortalErrorData, 'message' | 'facts'> };
    };
  };
}

/** Refused for want of the procedure's own permission; what is refused later says more about why. */
function isRefused({ code, body }: ApiAnswer, { needs }: Procedure): boolean {
  const refusal = (body as Refusal).error?.json.data.portal;
  return (
    code === errorCatalog.noPermission.code &&
    refusal?.message === errorCatalog.noPermission.message &&
    refusal.facts['permission'] === needs.join(' | ')
  );
}

/** Everything that is kept, but for what the server writes by itself: logs, queues, counts, its sign of life. */
async function contentOf(): Promise<Record<string, string>> {
  const { rows: tables } = await database.orm.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'identity')
      and tablename !~ '^(api_call|audit_|feed_|finding|installation_server$|outbox_|outgoing_|.*_progress$|.*_count$)'`);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await database.orm.execute<{ sum: string }>(
      sql`select concat(count(*), ':', sum(hashtext(t::text))) as sum from ${sql.raw(name)} t`,
    );
    found[name] = rows[0]?.sum ?? '';
  }
  const { rows } = await database.orm.execute<{ count: number }>(
    sql`select count(*)::int as count from audit_event`,
  );
  return { ...found, audit_event: String(rows[0]?.count) };
}

test('[rights-2] every procedure names a permission of the table, or that it is for everybody who is signed in', () => {
  const known = new Set<string>([
    'session',
    'admitted',
    'signed-in',
    'commands:run',
    ...everything,
  ]);
  const wrong = all.filter(
    ({ needs }) => needs.length === 0 || !needs.every((name) => known.has(name)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('[rights-3] what is for everybody who is signed in is known by name', () => {
  const open = all
    .filter(({ needs }) =>
      ['session', 'admitted', 'signed-in'].some((name) => needs.includes(name)),
    )
    .map(({ path }) => path);
  expect(open.toSorted()).toEqual(forEverybody);
});

test('what starts, stops or repeats a run names the right to run', () => {
  const others = all.filter(
    ({ path, type, needs }) =>
      type === 'mutation' &&
      (path.startsWith('commands.') || path.startsWith('schedules.')) &&
      !needs.includes('commands:run'),
  );
  expect(others.map(({ path }) => path).toSorted()).toEqual(withoutRunRight);
});

test('[rights-4] an input that fits can be made from the schema of every procedure, but for few', () => {
  const unfit = all.filter((one) => one.input !== undefined && inputsOf(one)[0] === undefined);
  expect(unfit.map(({ path }) => path)).toEqual([]);
});

describe('every procedure', () => {
  test('[rights-5] is refused to whoever is not signed in, whatever the input', async () => {
    const answers = await Promise.all(
      all.flatMap((one) =>
        inputsOf(one).map(async (input) => ({
          path: one.path,
          code: (await call(one, { input, token: undefined })).code,
        })),
      ),
    );
    expect(answers.filter(({ code }) => code !== 2001)).toEqual([]);
  }, 120_000);

  test.each(callers)(
    '[rights-6] is refused to $name exactly where the table says, before the input is looked at, and changes nothing',
    async ({ name, grants }) => {
      const refused = all.filter((one) => !mayCall(grants, one));
      const before = await contentOf();
      const wrong: string[] = [];
      for (const one of refused) {
        const answers = await Promise.all(inputsOf(one).map((input) => answerOf(name, one, input)));
        if (!answers.every(({ answer }) => isRefused(answer, one)))
          wrong.push(`${one.path}: ${answers.map(({ answer }) => answer.code).join(', ')}`);
      }
      expect(wrong).toEqual([]);
      expect(await contentOf()).toEqual(before);
    },
    120_000,
  );

  test.each(callers)(
    '[rights-7] is answered to $name where the table says, and never with a failure of ours',
    async ({ name, grants }) => {
      const wrong: string[] = [];
      for (const one of all.filter((each) => mayCall(grants, each))) {
        for (const input of inputsOf(one)) {
          const { answer } = await answerOf(name, one, input);
          if (answer.code === -1 || answer.code === 2001 || isRefused(answer, one))
            wrong.push(`${one.path} ${JSON.stringify(input)}: ${JSON.stringify(answer.body)}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    180_000,
  );
});

describe('what lies outside a scope', () => {
  const tellingOfIt = [
    ...['search.find', 'devices.list', 'devices.get', 'devices.listNotes', 'deviceHistory.get'],
    ...['people.list', 'people.get', 'commands.previewRerun', 'commands.listRuns'],
    ...['commands.getRun', 'commands.listInvocations', 'commands.getInvocation'],
    ...['auditTrail.list', 'cases.list', 'cases.get'],
  ];
  const markers = ['HIDDEN-DE-01', 'Hidden box', 'Hilda Hinter'];

  test('[rights-8] is in the answer of no procedure, by whatever id or word it is asked for', async () => {
    const [deviceId = ''] = await seedDevices(database, [
      { serialNumber: 'HIDDEN-DE-01', name: 'Hidden box', country: 'DE' },
    ]);
    const person = await seedPerson(database, 'Hilda Hinter');
    await database.orm.execute(
      sql`update device set owner_id = ${person.id} where id = ${deviceId}`,
    );
    const admin = await AccessFixture.open(portal, 'admin');
    const run = await admin.done<{ id: string; invocationId: string }>('commands.run', {
      command: 'logs/tail',
      target: { kind: 'devices', deviceIds: [deviceId] },
      idempotencyKey: '019a0000-0000-4000-8000-0000000000a1',
    });
    const { id: caseId } = await admin.done<{ id: string }>('cases.open', { personId: person.id });
    await admin.done('devices.addNote', { deviceId, text: 'Hidden box of Hilda Hinter' });
    const ids = [deviceId, person.id, run.id, run.invocationId, caseId];
    const words = ['HIDDEN-DE-01', 'Hidden', 'Hilda'];
    const given = (name: string): readonly unknown[] | undefined => {
      if (/^device(Id|Ids)?$/.test(name)) return [deviceId];
      if (name === 'personId' || name === 'ownerId') return [person.id];
      if (name === 'runId') return [run.id];
      if (name === 'invocationId') return [run.invocationId];
      if (name === 'caseId') return [caseId];
      return undefined;
    };
    const shownBy = async (
      caller: string,
      one: Procedure,
      input: string | undefined,
    ): Promise<readonly string[]> => {
      const sent: unknown = input === undefined ? undefined : JSON.parse(input);
      const text = JSON.stringify((await answerOf(caller, one, sent)).answer.body);
      return markers.filter((marker) => text.includes(marker) && !input?.includes(marker));
    };
    const leaks: string[] = [];
    const shownToAll = new Set<string>();
    for (const one of all) {
      const asked =
        one.input === undefined
          ? [undefined]
          : [...ids, ...words].map((value) =>
              generateBareInput(one.input as z.ZodType, (name) =>
                ['id', 'text', 'reference', 'value', 'query'].includes(name)
                  ? [value]
                  : given(name),
              ),
            );
      for (const input of new Set(asked.map((each) => JSON.stringify(each)))) {
        const shown = await shownBy('everything, in one country', one, input);
        if (shown.length > 0) leaks.push(`${one.path} ${input}: ${shown.join(', ')}`);
        if (!tellingOfIt.includes(one.path) || shownToAll.has(one.path)) continue;
        if ((await shownBy('Administrator', one, input)).length > 0) shownToAll.add(one.path);
      }
    }
    expect(leaks).toEqual([]);
    // What could have leaked it: the same questions, asked by who may see it.
    expect([...shownToAll]).toEqual(expect.arrayContaining(tellingOfIt));
  }, 240_000);
});
