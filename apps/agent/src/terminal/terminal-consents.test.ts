import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOwnersProgram } from './ask-consent.ts';
import { TerminalConsents } from './terminal-consents.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-consent-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function programWith(body: string): Promise<string> {
  const program = join(folder, 'ask.sh');
  await writeFile(program, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return program;
}

const statement = {
  session: '0190aaaa-0000-7000-8000-000000000001',
  deviceId: 'device',
  authorizedBy: { id: 'user' },
  userName: 'anna',
  reason: 'Check the disk',
  needsConsent: true,
  openBefore: '2030-01-01T00:00:00.000Z',
};

function consentsOf(program: string | null, over: { answerMs?: number; now?: () => number } = {}) {
  const announced: string[] = [];
  const consents = new TerminalConsents({
    program,
    announce: (session) => void announced.push(session),
    now: () => performance.now(),
    ...over,
  });
  return { consents, announced };
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function pidOf(name: string): Promise<number> {
  for (;;) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('consent of a person at the device', () => {
  it('is given by exit code 0 only', async () => {
    for (const [body, expected] of [
      ['exit 0', null],
      ['exit 1', 'consent-refused'],
      ['exit 127', 'consent-refused'],
      ['kill -9 $$', 'consent-refused'],
    ] as const)
      expect(await consentsOf(await programWith(body)).consents.ask(statement)).toBe(expected);
  });

  it('is asked with user and reason, which cannot contain control characters', async () => {
    process.env['DEVICEPORTAL_AGENT_CLAIM'] = 'a-secret-claim';
    const program = await programWith(`cat > ${folder}/stdin; env > ${folder}/env`);
    const { consents } = consentsOf(program);
    const userName = 'anna\u001b[2J\u202e';
    expect(await consents.ask({ ...statement, userName, reason: 'one\ntwo\u0007' })).toBeNull();
    delete process.env['DEVICEPORTAL_AGENT_CLAIM'];
    const stdin = JSON.parse(await readFile(join(folder, 'stdin'), 'utf8')) as object;
    expect(stdin).toEqual({
      ...{ session: statement.session, subject: 'terminal', seconds: 60 },
      ...{ user: 'anna [2J', reason: 'one two' },
    });
    const environment = await readFile(join(folder, 'env'), 'utf8');
    expect(environment).toContain('DEVICEPORTAL_TERMINAL_USER=anna [2J\n');
    expect(environment).toContain('DEVICEPORTAL_TERMINAL_REASON=one two\n');
    expect(environment).not.toContain('a-secret-claim');
  });

  it('is missing without an answer in time, and the program and its dialog end', async () => {
    const program = await programWith(
      `echo $$ > ${folder}/pid\nsleep 60 & echo $! > ${folder}/child\nwait`,
    );
    const { consents } = consentsOf(program, { answerMs: 300 });
    expect(await consents.ask(statement)).toBe('consent-unanswered');
    await untilEnded(await pidOf('pid'));
    await untilEnded(await pidOf('child'));
  });

  it('is not awaited any more when the request is canceled', async () => {
    const program = await programWith(`echo $$ > ${folder}/pid\nsleep 60`);
    const { consents } = consentsOf(program);
    const answer = consents.ask(statement);
    const pid = await pidOf('pid');
    consents.cancel('0190aaaa-0000-7000-8000-000000000002');
    expect(isRunning(pid)).toBe(true);
    consents.cancel(statement.session);
    expect(await answer).toBe('cancelled');
    await untilEnded(pid);
  });

  it('is not awaited any more when the user does not wait', async () => {
    let nowMs = 0;
    const program = await programWith('sleep 60');
    const { consents, announced } = consentsOf(program, { now: () => nowMs });
    const answer = consents.ask(statement);
    nowMs = 11_000;
    consents.keep(statement.session);
    expect(announced).toHaveLength(2);
    nowMs = 24_000;
    expect(await answer).toBe('cancelled');
  });

  it('is asked for one request at a time, and not again and again', async () => {
    let nowMs = 0;
    const program = await programWith(`echo asked >> ${folder}/count; exit 1`);
    const { consents } = consentsOf(program, { now: () => nowMs });
    const [one, other] = await Promise.all([consents.ask(statement), consents.ask(statement)]);
    expect([one, other]).toEqual(['consent-refused', 'too-many']);
    for (let times = 0; times < 5; times += 1)
      expect(await consents.ask(statement)).toBe('consent-refused');
    const asked = async (): Promise<number> =>
      (await readFile(join(folder, 'count'), 'utf8')).split('\n').length - 1;
    expect(await asked()).toBe(3);
    nowMs = 11 * 60_000;
    await consents.ask(statement);
    expect(await asked()).toBe(4);
  });

  it('is needed if the portal or the device requires it, and missing without a program', async () => {
    const { consents } = consentsOf(null);
    expect(consents.isNeeded({ needsConsent: true })).toBe(true);
    expect(consents.isNeeded({ needsConsent: false })).toBe(false);
    expect(await consents.ask(statement)).toBe('no-consent-program');
    expect(consentsOf('/bin/true').consents.isNeeded({ needsConsent: false })).toBe(true);
  });
});

describe('the program that asks', () => {
  it('is not started if other accounts can change it', async () => {
    const program = await programWith(`touch ${folder}/started`);
    expect(isOwnersProgram(program)).toBe(true);
    for (const mode of [0o775, 0o757, 0o644]) {
      await chmod(program, mode);
      expect(isOwnersProgram(program)).toBe(false);
      expect(await consentsOf(program).consents.ask(statement)).toBe('no-consent-program');
    }
    await expect(readFile(join(folder, 'started'))).rejects.toThrow('ENOENT');
    const open = join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    await writeFile(join(open, 'ask.sh'), '#!/bin/sh\n', { mode: 0o755 });
    expect(isOwnersProgram(join(open, 'ask.sh'))).toBe(false);
    expect(isOwnersProgram(join(folder, 'missing'))).toBe(false);
    expect(isOwnersProgram(folder)).toBe(false);
  });
});
