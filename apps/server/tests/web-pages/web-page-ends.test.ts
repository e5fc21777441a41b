import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { WEB_PAGE_DURATION_MS, WEB_PAGE_IDLE_MS } from '@deviceportal/contract/web-pages';
import type { Database, Executor } from '../../src/platform/database/database.ts';
import { sweepWebPages } from '../../src/web-pages/sweep-web-pages.ts';
import { viewerHolding } from '../support/command-fixture.ts';
import { setDatabaseTime } from '../support/database/set-database-time.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { askPage, openWebPageFixture, type WebPageFixture } from './web-page-fixture.ts';

let fixture: WebPageFixture;

beforeEach(async () => {
  fixture = await openWebPageFixture({ isSweptByTest: true });
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Moves the time, and waits until the device has answered at the new one. */
async function moveTime(aheadMs: number): Promise<void> {
  const { setup } = fixture;
  await setDatabaseTime(setup, aheadMs);
  await until(async () => {
    const late = await rowsOf(
      setup.database,
      `select from web_page_session
       where state <> 'ended' and seen_at < portal_now() - interval '5 seconds'`,
    );
    return late.length === 0;
  });
}

const change = (statement: string, ...values: unknown[]) =>
  rowsOf(fixture.setup.database, statement, values);

describe('an open session', () => {
  test('ends when its page was not used for 15 minutes, and not before', async () => {
    const sessionId = await fixture.open();
    await fixture.enter(sessionId);
    await moveTime(WEB_PAGE_IDLE_MS - 30_000);
    await fixture.sweep();
    expect((await fixture.row(sessionId)).state).toBe('open');
    await moveTime(WEB_PAGE_IDLE_MS + 30_000);
    await fixture.sweep();
    expect(await fixture.row(sessionId)).toMatchObject({ state: 'ended', end_reason: 'idle' });
    expect((await fixture.events('web-page.closed')).at(-1)).toMatchObject({ end: 'idle' });
  }, 60_000);

  test('ends after 2 hours, however much its page is used', async () => {
    const sessionId = await fixture.open();
    const page = await fixture.enter(sessionId);
    const stepMs = WEB_PAGE_IDLE_MS - 60_000;
    for (let aheadMs = stepMs; aheadMs < WEB_PAGE_DURATION_MS; aheadMs += stepMs) {
      await moveTime(aheadMs);
      await fixture.sweep();
      expect((await askPage(fixture.pagesPort, page)).status).toBe(200);
    }
    await moveTime(WEB_PAGE_DURATION_MS + 30_000);
    await fixture.sweep();
    expect(await fixture.row(sessionId)).toMatchObject({ end_reason: 'too-long' });
    expect((await askPage(fixture.pagesPort, page)).status).toBe(410);
  }, 60_000);

  const countries = (names: readonly string[]): Scope => ({ ...everywhere, countries: [...names] });
  test.each([
    ['its device leaves the scope', `update device set country = 'NZ' where id = $1`],
    ['its device is suspended', `update device set lifecycle = 'suspended' where id = $1`],
    [
      'its device no longer offers the port',
      `update device_instance set web_pages = '[{"port":1,"title":"Other"}]' where device_id = $1`,
    ],
    [
      'its device offers no web pages',
      `update device_instance set web_pages = null where device_id = $1`,
    ],
    [
      'its model is forbidden',
      `with model as (update device set model = 'locked' where id = $1 returning model)
       insert into terminal_model_consent (model, consent, changed_by_id, changed_by)
       select model, 'forbidden', gen_random_uuid(), 'admin' from model`,
    ],
  ])('ends when %s', async (_what, statement) => {
    const { deviceId } = fixture.device;
    await change(`update device set country = 'NO' where id = $1`, deviceId);
    const scope = countries(['NO', 'SE']);
    const viewer = viewerHolding([{ permissions: ['web-pages:open'], scope }], 'page-user');
    const sessionId = await fixture.open(viewer);
    await fixture.sweep();
    expect((await fixture.row(sessionId)).state).toBe('open');
    await change(statement, deviceId);
    await fixture.sweep();
    expect(await fixture.row(sessionId)).toMatchObject({ end_reason: 'permission-lost' });
  });

  test('of one user ends with its sign-in, and that of another user continues', async () => {
    const other = viewerHolding(
      [{ permissions: ['web-pages:open'], scope: everywhere }],
      'another-user',
    );
    const [own, others] = [await fixture.open(), await fixture.open(other)];
    fixture.signedOut.add(fixture.viewer.userId);
    await fixture.sweep();
    expect(await fixture.row(own)).toMatchObject({ end_reason: 'permission-lost' });
    expect(await fixture.row(others)).toMatchObject({ state: 'open' });
  });

  test('is checked by as many statements as fifty', async () => {
    const sessionId = await fixture.open();
    const { orm } = fixture.deps.database;
    const forOne = await countSweep(orm);
    // Devices see none of these sessions, and end none of them.
    await orm.transaction(async (tx) => {
      await tx.execute(sql`
        insert into web_page_session
        select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'label', n::text))).*
        from web_page_session s, generate_series(1, 49) n where s.id = ${sessionId}`);
      expect(await countSweep(tx)).toBe(forOne);
      const { rowCount } = await tx.execute(sql`
        delete from web_page_session where state = 'open' and id <> ${sessionId}`);
      expect(rowCount).toBe(49);
    });
  });
});

/** Statements of one check in which all users are still permitted. */
async function countSweep(on: Executor): Promise<number> {
  let statements = 0;
  const orm = new Proxy(on, {
    get(target, name) {
      statements += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await sweepWebPages({
    ...fixture.deps,
    database: { ...fixture.deps.database, orm: orm as Database['orm'] },
    async findValidHolders(holders) {
      statements += 1;
      return new Set(holders);
    },
  });
  return statements;
}
