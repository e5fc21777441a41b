import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CodeMessage } from '@deviceportal/identity/messenger';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { smtpAnswer, startMailServer, type MailServer } from '../support/mail-server.ts';
import { openMessageFixture } from '../support/message-fixture.ts';
import { withOpenedNames } from '../support/audit/with-opened-names.ts';

const TO = 'ada@example.com';
const program = fileURLToPath(new URL('../support/send-and-wait.ts', import.meta.url));

let db: TestDatabase;
let logged: string[];

beforeEach(async () => {
  db = await createTestDatabase();
  logged = [];
});
afterEach(() => db[Symbol.asyncDispose]());

const openSetup = (server: Pick<MailServer, 'port'>, attemptMs = 10_000) =>
  openMessageFixture({
    database: db.database,
    mailPort: server.port,
    attemptMs,
    onLog: (line) => logged.push(line),
  });

function code(digits: string, purpose: CodeMessage['purpose'] = 'login'): CodeMessage {
  const now = Date.now();
  return {
    kind: 'code',
    purpose,
    to: TO,
    channel: 'email',
    person: 'sub-of-ada',
    code: digits,
    sentAt: new Date(now),
    expiresAt: new Date(now + 180_000),
  };
}

async function states(): Promise<string[]> {
  const { rows } = await db.database.orm.execute<{ state: string }>(
    sql`select state from outgoing_message order by created_at, id`,
  );
  return rows.map(({ state }) => state);
}

const codesIn = (server: MailServer) =>
  server.mails.map(({ mail }) => /^Subject: (\d{6}) /m.exec(mail)?.[1]);

describe('delivery of queued messages', () => {
  test('[delivery-1] sends a code by the time the call returns, and stores neither code nor address in the database', async () => {
    await using server = await startMailServer();
    await using setup = await openSetup(server);
    await setup.messenger.send(code('111111'));
    expect(codesIn(server)).toEqual(['111111']);
    expect(await states()).toEqual(['sent']);
    const { rows } = await db.database.orm.execute(sql`select * from outgoing_message`);
    expect(JSON.stringify(rows)).not.toMatch(/111111|ada@/);
    const metrics = await setup.metrics.registry.metrics();
    expect(metrics).toContain(
      'deviceportal_messages_total{channel="email",kind="login",outcome="sent"} 1',
    );
    expect(metrics).toContain('deviceportal_messages_waiting 0');
  });

  test('reports a rejected address immediately, and to the operator without the address', async () => {
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(smtpAnswer(550, `5.1.1 <${TO}> unknown`)),
    });
    await using setup = await openSetup(server);
    await expect(setup.messenger.send(code('222222'))).rejects.toMatchObject({
      name: 'MessageRefusedError',
    });
    expect(await states()).toEqual(['refused']);
    const { rows } = await db.database.orm.execute<{ data: object }>(
      sql`select data from audit_event where type = 'access.message-refused'`,
    );
    const told = await withOpenedNames(
      db.database,
      rows.map(({ data }) => data),
    );
    expect(told).toEqual([
      {
        channel: 'email',
        kind: 'login',
        reason: '550 5.1.1',
        subject: 'sub-of-ada',
        username: 'user of sub-of-ada',
      },
    ]);
    expect(logged.join('')).toContain('550 5.1.1');
    expect(logged.join('')).not.toMatch(/ada@|222222/);
    expect(await setup.metrics.registry.metrics()).toMatch(
      /messages_total\{channel="email",kind="login",outcome="refused"\} 1/,
    );
  });

  test('retries automatically after a temporary failure and delivers the code once', async () => {
    let refusals = 1;
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) => {
        refusals -= 1;
        done(refusals >= 0 ? smtpAnswer(451, '4.3.0 busy') : undefined);
      },
    });
    await using setup = await openSetup(server);
    await setup.messenger.send(code('333333'));
    expect(await states()).toEqual(['waiting']);
    await expect.poll(() => codesIn(server), { timeout: 15_000 }).toEqual(['333333']);
    await expect.poll(states).toEqual(['sent']);
  });

  test('supersedes a waiting code with a newer one, and sends no expired one', async () => {
    let isBusy = true;
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(isBusy ? smtpAnswer(451, '4.3.0 busy') : undefined),
    });
    await using setup = await openSetup(server);
    await setup.messenger.send(code('400001'));
    await setup.messenger.send(code('400002', 'change-email'));
    isBusy = false;
    await setup.messenger.send(code('400003'));
    expect(await states()).toEqual(['superseded', 'waiting', 'sent']);
    // Its next attempt would be in time; the database is changed so that it expires before.
    await db.database.orm.execute(
      sql`update outgoing_message set expires_at = now() where state = 'waiting'`,
    );
    await expect.poll(states, { timeout: 15_000 }).toEqual(['superseded', 'expired', 'sent']);
    expect(codesIn(server)).toEqual(['400003']);
  });

  test('[delivery-5] returns before a slow server has replied, and delivers the code once', async () => {
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) => void setTimeout(done, 4_000),
    });
    await using setup = await openSetup(server);
    const startedAt = performance.now();
    await setup.messenger.send(code('555555'));
    expect(performance.now() - startedAt).toBeLessThan(3_900);
    await expect.poll(() => codesIn(server), { timeout: 10_000 }).toEqual(['555555']);
  });

  test('sends once when several servers try at the same time', async () => {
    await using server = await startMailServer({
      onRcptTo: (() => {
        let first = true;
        return (_address, _session, done) => {
          const isFirst = first;
          first = false;
          done(isFirst ? smtpAnswer(451, '4.3.0 busy') : undefined);
        };
      })(),
    });
    await using one = await openSetup(server);
    await using other = await openSetup(server);
    await one.messenger.send(code('666666'));
    await expect.poll(() => codesIn(server), { timeout: 15_000 }).toEqual(['666666']);
    await expect.poll(states).toEqual(['sent']);
    await sleep(1_500);
    expect(codesIn(server)).toEqual(['666666']);
    expect(other.messenger).toBeDefined();
  });
});

/** Starts a sender, kills it at a point of the conversation, and lets another server continue. */
async function killAt(point: 'RCPT TO' | 'content', kind: 'code' | 'welcome') {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  const mails: string[] = [];
  const server = await startMailServer({
    onRcptTo: (_address, _session, done) => {
      if (point !== 'RCPT TO' || !isFirst) return done();
      isFirst = false;
      resolve();
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.once('error', () => {});
      stream.once('end', () => {
        mails.push(kind);
        if (point !== 'content' || !isFirst) return done();
        // The server accepts the message, but the sender never receives the reply.
        isFirst = false;
        resolve();
      });
    },
  });
  const child = spawn(process.execPath, [program, db.url, String(server.port), '3000', kind], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolveEnd) => child.once('exit', resolveEnd));
  await reached;
  child.kill('SIGKILL');
  await ended;
  return { server, mails };
}

describe('a server that is killed while it sends', () => {
  test('sends the code once from another server when killed before the content', async () => {
    const { server, mails } = await killAt('RCPT TO', 'code');
    await using _server = server;
    expect(mails).toEqual([]);
    await using _desk = await openSetup(server, 3_000);
    await expect.poll(states, { timeout: 15_000 }).toEqual(['sent']);
    expect(mails).toEqual(['code']);
  });

  test('does not send a code twice when killed after the content', async () => {
    const { server, mails } = await killAt('content', 'code');
    await using _server = server;
    await using _desk = await openSetup(server, 3_000);
    await expect.poll(states, { timeout: 15_000 }).toEqual(['uncertain']);
    expect(mails).toEqual(['code']);
  });

  test('sends a notice again when killed after the content', async () => {
    const { server, mails } = await killAt('content', 'welcome');
    await using _server = server;
    await using _desk = await openSetup(server, 3_000);
    await expect.poll(states, { timeout: 15_000 }).toEqual(['sent']);
    expect(mails).toEqual(['welcome', 'welcome']);
  });
});
