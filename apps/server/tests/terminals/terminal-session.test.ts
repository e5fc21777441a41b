import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endSession, endTerminal } from '../../src/terminals/end-terminal.ts';
import { findTerminal } from '../../src/terminals/data/terminal-queries.ts';
import { recordingLines } from '../../src/terminals/recording.ts';
import { origin } from '../support/command-fixture.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { isRunning } from './is-running.ts';
import {
  openTerminalFixture,
  terminalViewer,
  type TerminalFixture,
  type TestBrowser,
} from './terminal-fixture.ts';

let fixture: TerminalFixture;

beforeAll(async () => {
  fixture = await openTerminalFixture({ resumeMs: 2_000 });
});
afterAll(() => fixture[Symbol.asyncDispose]());
// A failed test leaves no session to the next one.
afterEach(async () => {
  const open = await rowsOf<{ id: string }>(
    fixture.setup.database,
    `select id from terminal_session where state <> 'ended'`,
  );
  for (const { id } of open) await endSession(fixture.deps, { id, reason: 'closed' });
});

async function openShell(): Promise<{ sessionId: string; browser: TestBrowser }> {
  const sessionId = await fixture.open();
  const browser = fixture.attach(sessionId);
  await until(() => browser.isOpen && browser.text.includes('$ '));
  return { sessionId, browser };
}

async function finish(browser: TestBrowser): Promise<void> {
  browser.type('exit\r');
  await until(() => browser.ending !== undefined);
}

describe('terminal on the real agent', () => {
  test('what is typed runs in the shell, and its output and exit code come back', async () => {
    const { sessionId, browser } = await openShell();
    expect(browser.text).toContain('This session is recorded');
    browser.type('echo one-$((1+1))\r');
    await until(() => browser.text.includes('one-2'));
    browser.type('exit 7\r');
    const ending = await until(() => browser.ending);
    expect(ending).toMatchObject({ reason: 'exited', exitCode: 7 });
    expect(await fixture.row(sessionId)).toMatchObject({ state: 'ended', exit_code: 7 });
  });

  test('the shell has the size of the browser', async () => {
    const { browser } = await openShell();
    browser.send({ kind: 'resize', columns: 101, rows: 33 });
    browser.type('sleep 0.3; stty size\r');
    await until(() => browser.text.includes('33 101'));
    await finish(browser);
  });

  test('a lost browser comes back to the same shell, without gaps or repetitions', async () => {
    const { sessionId, browser } = await openShell();
    browser.type(
      'X=kept; i=0; while [ $i -lt 400 ]; do echo line-$i-; i=$((i+1)); [ $((i%100)) = 0 ] && sleep 0.4; done\r',
    );
    await until(() => browser.text.includes('line-20-'));
    browser.vanish();
    const again = fixture.attach(sessionId, { received: browser.received });
    await until(() => again.text.includes('line-399-\r'));
    again.type('echo $X-value\r');
    await until(() => again.text.includes('kept-value'));
    const whole = browser.text + again.text;
    const numbers = [...whole.matchAll(/line-(\d+)-\r/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, index) => index));
    await finish(again);
  });

  test('a device that reconnects continues the same shell', async () => {
    const { browser } = await openShell();
    browser.type('Y=still; echo before\r');
    await until(() => browser.text.includes('before\r\n'));
    fixture.agent.agent?.disconnect();
    browser.type('echo $Y-here\r');
    await until(() =>
      browser.messages.some((message) => message.kind === 'device' && !message.isReachable),
    );
    fixture.agent.agent?.connect();
    await until(() => browser.text.includes('still-here'));
    await finish(browser);
  });

  test('a browser continues on another server, which serves no devices', async () => {
    const { sessionId, browser } = await openShell();
    browser.type('Z=moved; echo before\r');
    await until(() => browser.text.includes('before\r\n'));
    await using other = await fixture.openWebServer();
    browser.vanish();
    const again = other.attach(sessionId, { received: browser.received });
    again.type('echo $Z-here\r');
    await until(() => again.isOpen);
    again.type('echo $Z-there\r');
    await until(() => again.text.includes('moved-there'));
    // Longer than the first server waits for its browser.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await fixture.row(sessionId)).state).toBe('open');
    await finish(again);
  });

  test('a browser that does not come back ends the session and its shell', async () => {
    const { sessionId, browser } = await openShell();
    browser.type('echo pid=$$=\r');
    const [, pid] = await until(() => /pid=(\d+)=/.exec(browser.text));
    browser.vanish();
    await until(async () => (await fixture.row(sessionId)).end_reason === 'browser-lost');
    await until(() => !isRunning(Number(pid)));
  });

  test('output waits for a browser that does not read, and none is lost', async () => {
    const { browser } = await openShell();
    browser.reads = false;
    const before = browser.received;
    browser.type('head -c 2000000 /dev/zero | tr "\\\\0" x; echo; echo the-$((1))-end\r');
    await until(() => browser.received - before > 100_000);
    const held = await settled(() => browser.received);
    expect(held - before).toBeLessThan(400_000);
    browser.reads = true;
    browser.confirm();
    await until(() => browser.text.includes('the-1-end\r'));
    expect(browser.received - before).toBeGreaterThan(2_000_000);
    await finish(browser);
  }, 60_000);

  test('the recording contains what was shown, and the audit trail its digest', async () => {
    const { sessionId, browser } = await openShell();
    browser.send({ kind: 'resize', columns: 90, rows: 30 });
    browser.type('stty -echo; read secret; stty echo; echo done-é\r');
    await until(() => browser.text.includes('stty echo'));
    browser.type('hidden-password\r');
    await until(() => browser.text.includes('done-é\r'));
    await finish(browser);
    await until(async () => (await fixture.row(sessionId)).sha256 !== null);
    const { orm } = fixture.setup.database;
    const session = await findTerminal(orm, sessionId);
    if (session === undefined) throw new Error('no session');
    const lines: string[] = [];
    for await (const line of recordingLines(orm, session)) lines.push(line);
    const [head, ...events] = lines.map((line) => JSON.parse(line) as unknown);
    expect(head).toMatchObject({ version: 2, width: 80, height: 24 });
    expect(events).toContainEqual([expect.any(Number), 'r', '90x30']);
    const shown = (events as [number, string, string][])
      .filter(([, kind]) => kind === 'o')
      .map(([, , text]) => text)
      .join('');
    expect(shown).toBe(browser.text);
    expect(shown).not.toContain('hidden-password');
    const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
    const closed = await rowsOf<{ data: Record<string, unknown> }>(
      fixture.setup.database,
      `select data from audit_event where type = 'terminal.closed' and data->>'sessionId' = $1`,
      [sessionId],
    );
    expect(closed.map(({ data }) => data)).toEqual([
      expect.objectContaining({ sha256, end: 'exited', recordedBytes: browser.received }),
    ]);
  });

  test('full-screen programs work', async () => {
    const { sessionId, browser } = await openShell();
    const file = join(tmpdir(), `dp-${sessionId}.txt`);
    browser.type('vim -u NONE -n\r');
    await until(() => browser.text.includes('\u001b[?1049h') && browser.text.includes('~'));
    browser.type('itext of vim');
    await until(() => browser.text.includes('text of vim'));
    browser.type('\u001b');
    // A key that follows immediately would belong to the escape sequence.
    await new Promise((resolve) => setTimeout(resolve, 500));
    browser.type(`:wq! ${file}\r`);
    await until(() => browser.text.includes('\u001b[?1049l'));
    expect(await readFile(file, 'utf8')).toBe('text of vim\n');
    await rm(file);
    await finish(browser);
  });
});

describe('who may use a session', () => {
  test('a revoked permission ends the session within seconds', async () => {
    const { sessionId, browser } = await openShell();
    fixture.viewers.set('token', { ...fixture.viewer, grants: [] });
    try {
      const ending = await until(() => browser.ending);
      expect(ending.reason).toBe('permission-lost');
      expect((await fixture.row(sessionId)).end_reason).toBe('permission-lost');
    } finally {
      fixture.viewers.set('token', fixture.viewer);
    }
  });

  test('a suspended device ends the session', async () => {
    const { browser } = await openShell();
    const { pool } = fixture.setup.database;
    const values = [fixture.deviceId];
    await pool.query(`update device set lifecycle = 'suspended' where id = $1`, values);
    try {
      expect((await until(() => browser.ending)).reason).toBe('permission-lost');
    } finally {
      await pool.query(`update device set lifecycle = 'active' where id = $1`, values);
    }
  });

  test('another user, another sign-in, and an invalid token cannot attach', async () => {
    const { sessionId, browser } = await openShell();
    fixture.viewers.set('other', terminalViewer());
    fixture.viewers.set('sign-in', { ...fixture.viewer, signInId: 'another' });
    for (const token of ['other', 'sign-in', 'invalid']) {
      const stranger = fixture.attach(sessionId, { token });
      await until(() => stranger.closeCode !== undefined);
      expect(stranger.closeCode).toBe(4_403);
      expect(stranger.received).toBe(0);
    }
    browser.type('echo untouched\r');
    await until(() => browser.text.includes('untouched\r\n'));
    await finish(browser);
  });

  test('an administrator ends the session of another user, others cannot', async () => {
    const { sessionId, browser } = await openShell();
    const { deps } = fixture;
    const other = { ...origin, viewer: terminalViewer() };
    await expect(endTerminal(deps, other, { sessionId })).rejects.toMatchObject({ code: 6000 });
    const administrator = { ...origin, viewer: terminalViewer(['terminal:end']) };
    await endTerminal(deps, administrator, { sessionId });
    expect((await until(() => browser.ending)).reason).toBe('ended-by-other');
    const events = await rowsOf<{ type: string }>(
      fixture.setup.database,
      `select type from audit_event where data->>'sessionId' = $1 order by id`,
      [sessionId],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'terminal.opened',
      'terminal.ended',
      'terminal.closed',
    ]);
  });
});

/** The value after it has not changed for a second. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  await until(async () => {
    const now = read();
    const same = now === last;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return same;
  });
  return last;
}
