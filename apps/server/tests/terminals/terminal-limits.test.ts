import { afterEach, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import { TERMINAL_LIMITS } from '@deviceportal/contract/terminals';
import { inTransaction } from '../../src/platform/database/database.ts';
import { TerminalIngest } from '../../src/terminals/ingest-terminal-messages.ts';
import { listDeviceTerminals } from '../../src/terminals/list-terminals.ts';
import { openTerminal } from '../../src/terminals/open-terminal.ts';
import { deleteExpiredRecordings, sweepTerminals } from '../../src/terminals/schedule-terminals.ts';
import { viewRecording } from '../../src/terminals/view-recording.ts';
import { insertTerminal } from '../../src/terminals/data/terminal-queries.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { openTerminalFixture, terminalViewer, type TerminalFixture } from './terminal-fixture.ts';

let fixture: TerminalFixture;
afterEach(() => fixture[Symbol.asyncDispose]());

const input = { reason: 'a test', columns: 80, rows: 24 };

async function openSessions(
  count: number,
  over: { readonly userId?: string; readonly deviceId?: string } = {},
): Promise<void> {
  await inTransaction(fixture.setup.database, async (tx) => {
    for (let made = 0; made < count; made += 1)
      await insertTerminal(tx, {
        ...{ id: newId(), userId: over.userId ?? newId(), deviceId: over.deviceId ?? newId() },
        ...{ ...input, username: 'someone', signInId: null },
      });
  });
}

describe('opening a terminal', () => {
  test('beyond the limit of the user, of the device, and of all is refused', async () => {
    fixture = await openTerminalFixture();
    const { userId } = fixture.viewer;
    await openSessions(TERMINAL_LIMITS.perUser, { userId });
    await expect(fixture.open()).rejects.toMatchObject({ reason: 'terminals-of-user' });
    await openSessions(TERMINAL_LIMITS.perDevice, { deviceId: fixture.deviceId });
    const other = terminalViewer();
    await expect(fixture.open(other)).rejects.toMatchObject({ reason: 'terminals-of-device' });
    await fixture.setup.database.pool.query(
      `update terminal_session set state = 'ended' where device_id = $1`,
      [fixture.deviceId],
    );
    await openSessions(TERMINAL_LIMITS.inAll);
    await expect(fixture.open(other)).rejects.toMatchObject({ reason: 'terminals-of-portal' });
  });

  test('thousands of requests at the same time open no more than the limit, and write nothing else', async () => {
    fixture = await openTerminalFixture();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 2_000 }, () => fixture.open(fixture.viewer)),
    );
    const opened = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(opened).toHaveLength(TERMINAL_LIMITS.perDevice);
    const [written] = await rowsOf<{ sessions: number; events: number }>(
      fixture.setup.database,
      `select (select count(*)::int from terminal_session) as sessions,
        (select count(*)::int from audit_event where type = 'terminal.opened') as events`,
    );
    expect(written).toEqual({
      sessions: TERMINAL_LIMITS.perDevice,
      events: TERMINAL_LIMITS.perDevice,
    });
  }, 60_000);

  test('outside the scope, without an offer, and offline is refused', async () => {
    fixture = await openTerminalFixture({ terminal: { isOn: false, account: null } });
    const { deps, deviceId } = fixture;
    const elsewhere = viewerHolding([
      { permissions: ['terminal:open'], scope: { ...everywhere, countries: ['NO'] } },
    ]);
    const request = { ...input, deviceId };
    await expect(
      openTerminal(deps, { ...origin, viewer: elsewhere }, request),
    ).rejects.toMatchObject({ code: 6000 });
    await expect(fixture.open()).rejects.toMatchObject({ reason: 'terminal-not-offered' });
    const { pool } = fixture.setup.database;
    await pool.query(`update device_instance set terminal_offer = 'available'`);
    await pool.query(`update device_status set connectivity = 'offline'`);
    await expect(fixture.open()).rejects.toMatchObject({ reason: 'terminal-device-offline' });
    await pool.query(`update device_instance set terminal_offer = null`);
    await expect(fixture.open()).rejects.toMatchObject({ reason: 'terminal-not-offered' });
  });

  test('a device does not open a terminal that the portal has not signed', async () => {
    fixture = await openTerminalFixture();
    const { setup, deviceId } = fixture;
    const id = newId();
    await inTransaction(setup.database, (tx) =>
      insertTerminal(tx, {
        ...{ ...input, id, deviceId, userId: fixture.viewer.userId },
        ...{ username: 'attacker', signInId: null },
      }),
    );
    const payload = JSON.stringify({
      session: id,
      deviceId,
      authorizedBy: { id: fixture.viewer.userId },
      userName: 'attacker',
      reason: 'attack',
      openBefore: new Date(Date.now() + 60_000).toISOString(),
    });
    const keyId = fixture.deps.signing.keys.current.keyId;
    const signature = Buffer.alloc(64, 7).toString('base64url');
    setup.terminalLines.send(deviceId, {
      ...{ kind: 'open', session: id, columns: 80, rows: 24 },
      statement: { payload, signatures: [{ keyId, signature }] },
    });
    await until(async () => (await fixture.row(id)).end_reason === 'refused');
  });
});

describe('a device that names sessions which are not its own', () => {
  test('costs a few statements, and nothing of it is passed on', async () => {
    fixture = await openTerminalFixture();
    const { database, terminalLines } = fixture.setup;
    const published: unknown[] = [];
    const replies: unknown[] = [];
    const ingest = new TerminalIngest({
      database,
      changes: {
        publish: (changes) => void published.push(...changes),
        subscribe: () => ({ [Symbol.dispose]() {} }),
      },
      terminalLines: {
        ...terminalLines,
        send: (_deviceId, message) => void replies.push(message),
      },
      refuse: () => {},
    });
    const deviceId = newId();
    const own = await fixture.open();
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        ingest.take({
          deviceId,
          payload: Buffer.from(
            JSON.stringify({
              kind: 'alive',
              session: index % 2 === 0 ? own : newId(),
              ...{ attachment: 1, inputUpTo: 0 },
            }),
          ),
        }),
      ),
    );
    expect(published).toEqual([]);
    expect(replies.length).toBeLessThan(50);
  });
});

describe('sessions that nothing holds', () => {
  test('are ended and sealed by the sweep', async () => {
    fixture = await openTerminalFixture();
    const sessionId = await fixture.open();
    await fixture.setup.database.pool.query(
      `update terminal_session set seen_at = now() - interval '1 minute'`,
    );
    await sweepTerminals(fixture.deps);
    const row = await fixture.row(sessionId);
    expect(row).toMatchObject({ state: 'ended', end_reason: 'browser-lost' });
    expect(row.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the list of sessions', () => {
  test('hides users from viewers who may not read people', async () => {
    fixture = await openTerminalFixture();
    const { deps, deviceId, viewer } = fixture;
    await fixture.open();
    const seenBy = async (permissions: readonly Permission[]) => {
      const other = { ...terminalViewer(permissions), username: 'other', displayName: 'Other' };
      const { sessions } = await listDeviceTerminals(deps, other, { deviceId });
      return sessions.map(({ username }) => username);
    };
    expect(await seenBy(['terminal:replay', 'people:read'])).toEqual([viewer.username]);
    expect((await seenBy(['terminal:replay']))[0]).not.toContain(viewer.username);
  });
});

describe('recordings', () => {
  test('are shown with the permission, recorded, and deleted after their retention', async () => {
    fixture = await openTerminalFixture();
    const { deps, viewer, setup } = fixture;
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await until(() => browser.isOpen);
    const caller = { ...origin, viewer };
    await expect(viewRecording(deps, caller, { sessionId })).rejects.toMatchObject({
      reason: 'terminal-not-recorded',
    });
    browser.type('exit\r');
    await until(async () => (await fixture.row(sessionId)).sha256 !== null);
    expect(await viewRecording(deps, caller, { sessionId })).toMatchObject({
      sha256: (await fixture.row(sessionId)).sha256,
    });
    const stranger = { ...origin, viewer: terminalViewer(['terminal:open']) };
    await expect(viewRecording(deps, stranger, { sessionId })).rejects.toMatchObject({
      code: 6000,
    });
    expect(await deleteExpiredRecordings(setup.database, { days: 1 })).toBe(0);
    await setup.database.pool.query(
      `update terminal_session set opened_at = now() - interval '2 days'`,
    );
    expect(await deleteExpiredRecordings(setup.database, { days: 1 })).toBe(1);
    const [left] = await rowsOf<{ events: number }>(
      setup.database,
      'select count(*)::int as events from terminal_event',
    );
    expect(left).toEqual({ events: 0 });
    await expect(viewRecording(deps, caller, { sessionId })).rejects.toMatchObject({
      reason: 'terminal-not-recorded',
    });
  });
});
