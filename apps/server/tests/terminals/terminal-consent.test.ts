import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import type { TerminalConsentRule } from '@deviceportal/contract/terminals';
import type { TerminalUp } from '@deviceportal/device-protocol/terminal-message';
import { inTransaction } from '../../src/platform/database/database.ts';
import { findTerminal, insertTerminal } from '../../src/terminals/data/terminal-queries.ts';
import { endSession } from '../../src/terminals/end-terminal.ts';
import { TerminalIngest } from '../../src/terminals/ingest-terminal-messages.ts';
import { listDeviceTerminals } from '../../src/terminals/list-terminals.ts';
import { listModelConsents, setModelConsent } from '../../src/terminals/model-consents.ts';
import { isConsentTo } from '../../src/terminals/verify-consent.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { openTerminalFixture, type TerminalFixture } from './terminal-fixture.ts';

let folder: string;
let program: string;
let fixture: TerminalFixture;

async function openFixture(consentProgram: string | null): Promise<void> {
  fixture = await openTerminalFixture({ terminal: { isOn: true, account: null, consentProgram } });
  await fixture.setup.database.pool.query(`update device set model = 'K310'`);
}

const administratorOf = (scope: Scope = everywhere) => ({
  ...origin,
  viewer: viewerHolding([
    { permissions: ['terminal:consent'], scope },
    { permissions: ['devices:read'], scope: everywhere },
  ]),
});

const setRule = (consent: TerminalConsentRule): Promise<void> =>
  setModelConsent(fixture.deps, administratorOf(), { model: 'K310', consent });

const answer = (exitCode: number): Promise<void> =>
  writeFile(join(folder, 'answer'), String(exitCode));

const asked = (): Promise<Record<string, unknown>> =>
  until(async () => {
    const text = await readFile(join(folder, 'asked'), 'utf8').catch(() => '');
    return text.endsWith('\n') && (JSON.parse(text) as Record<string, unknown>);
  });

async function obstacleOf(sessionId: string): Promise<string | null> {
  await until(async () => (await fixture.row(sessionId)).state === 'ended');
  return (await findTerminal(fixture.setup.database.orm, sessionId))?.obstacle ?? null;
}

const ingestOf = (): TerminalIngest =>
  new TerminalIngest({
    ...fixture.deps,
    terminalLines: fixture.setup.terminalLines,
    refuse: () => {},
  });

const says = (message: TerminalUp): Promise<void> =>
  ingestOf().take({ deviceId: fixture.deviceId, payload: Buffer.from(JSON.stringify(message)) });

describe('a device that asks a person', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dp-consent-'));
    program = join(folder, 'ask.sh');
    await writeFile(
      program,
      `#!/bin/sh\ncat > ${folder}/asked\nwhile [ ! -e ${folder}/answer ]; do sleep 0.05; done\nexit $(cat ${folder}/answer)\n`,
    );
    await chmod(program, 0o755);
    await openFixture(program);
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => setRule('required'));
  afterEach(async () => {
    for (const name of ['asked', 'answer']) await rm(join(folder, name), { force: true });
    const open = await rowsOf<{ id: string }>(
      fixture.setup.database,
      `select id from terminal_session where state <> 'ended'`,
    );
    for (const { id } of open) await endSession(fixture.deps, { id, reason: 'closed' });
    await new Promise((resolve) => setTimeout(resolve, 300));
  });

  test('opens the terminal after the person has agreed, and signs the consent', async () => {
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await until(() => browser.messages.some(({ kind }) => kind === 'asking'));
    expect(await asked()).toMatchObject({
      user: fixture.viewer.username,
      reason: 'test of the terminal',
    });
    browser.type('echo typed-be"fore"\r');
    // Longer than a device may be silent.
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    expect(browser.isOpen).toBe(false);
    expect(browser.received).toBe(0);
    await answer(0);
    await until(() => browser.isOpen);
    await until(() => browser.text.includes('typed-before'));
    const [event] = await rowsOf<{
      data: { payload: string; signature: string; certificate: string };
    }>(
      fixture.setup.database,
      `select data from audit_event where type = 'terminal.consent-given' and data->>'sessionId' = $1`,
      [sessionId],
    );
    const session = await findTerminal(fixture.setup.database.orm, sessionId);
    if (event === undefined || session === undefined) throw new Error('no consent');
    const [device] = await rowsOf<{ fingerprint: string }>(
      fixture.setup.database,
      'select lower(certificate_fingerprint) as fingerprint from device_instance',
    );
    const { fingerprint = '' } = device ?? {};
    expect(isConsentTo(session, event.data, fingerprint)).toBe(true);

    // Replayed for another session, another reason, or by another device.
    expect(isConsentTo({ ...session, id: newId() }, event.data, fingerprint)).toBe(false);
    expect(
      isConsentTo({ ...session, requestSha256: '0'.repeat(64) }, event.data, fingerprint),
    ).toBe(false);
    expect(isConsentTo(session, event.data, 'f'.repeat(64))).toBe(false);
    const payload = event.data.payload.replace(sessionId, newId());
    expect(isConsentTo(session, { ...event.data, payload }, fingerprint)).toBe(false);
    await rm(join(folder, 'answer'));
    const later = await fixture.open();
    await says({ kind: 'opened', session: later, account: 'x', consent: event.data });
    expect(await obstacleOf(later)).toBe('consent-unproved');
  }, 60_000);

  test('opens none if the person does not agree', async () => {
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await asked();
    await answer(1);
    expect((await until(() => browser.ending)).obstacle).toBe('consent-refused');
    expect(browser.isOpen).toBe(false);
  });

  test('opens none if the user has canceled, whatever the person answers then', async () => {
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await asked();
    await endSession(fixture.deps, { id: sessionId, reason: 'closed' });
    await until(() => browser.ending);
    await answer(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(browser.isOpen).toBe(false);
    expect(browser.received).toBe(0);
  });

  test('asks also if the server states that no consent is needed', async () => {
    await setRule('not-needed');
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await asked();
    expect(browser.isOpen).toBe(false);
    await answer(0);
    await until(() => browser.isOpen);
  });

  test('is shown to the user before the request', async () => {
    const { deps, deviceId, viewer } = fixture;
    expect(await listDeviceTerminals(deps, viewer, { deviceId })).toMatchObject({
      ...{ consent: 'required', asksConsent: true, offer: 'available' },
    });
  });
});

describe('a device that cannot ask a person', () => {
  beforeAll(() => openFixture(null));
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('is refused by the server, and refuses a signed request itself', async () => {
    await setRule('required');
    await expect(fixture.open()).rejects.toMatchObject({ reason: 'terminal-consent-not-possible' });
    const id = newId();
    const { deviceId, deps, viewer, setup } = fixture;
    const size = { columns: 80, rows: 24 };
    const statement = {
      ...{ session: id, deviceId, authorizedBy: { id: viewer.userId } },
      ...{ userName: 'a user', reason: 'a reason', needsConsent: true },
      openBefore: new Date(Date.now() + 60_000).toISOString(),
    };
    const signed = await signStatement(
      statementTypes.terminal,
      statement,
      deps.signing.keys.current,
    );
    await inTransaction(setup.database, (tx) =>
      insertTerminal(tx, {
        ...{ ...size, id, deviceId, userId: viewer.userId, username: 'a user' },
        ...{ signInId: null, reason: 'a reason' },
      }),
    );
    setup.terminalLines.send(deviceId, { kind: 'open', session: id, ...size, statement: signed });
    expect(await obstacleOf(id)).toBe('no-consent-program');
  });

  test('is closed if its agent ignores that a consent is needed', async () => {
    await setRule('not-needed');
    const sessionId = await fixture.open();
    await fixture.setup.database.pool.query(`update terminal_session set needs_consent = true`);
    await says({ kind: 'opened', session: sessionId, account: 'x' });
    expect(await obstacleOf(sessionId)).toBe('consent-unproved');
  });

  test('of a model that forbids terminals is refused, and its open terminals end', async () => {
    await setRule('not-needed');
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await until(() => browser.isOpen);
    await setRule('forbidden');
    expect((await until(() => browser.ending)).reason).toBe('permission-lost');
    await expect(fixture.open()).rejects.toMatchObject({
      reason: 'terminal-forbidden',
      facts: { model: 'K310' },
    });
    await setRule('not-needed');
    await endSession(fixture.deps, { id: await fixture.open(), reason: 'closed' });
  });

  test('rules of models are set within the scope, and audited once', async () => {
    const model = 'K310';
    const input = { model, consent: 'forbidden' } as const;
    for (const scope of [
      { ...everywhere, models: ['OTHER'] },
      { ...everywhere, countries: ['DE'] },
      { ...everywhere, labels: { site: 'berlin' } },
    ]) {
      const caller = administratorOf(scope);
      await expect(setModelConsent(fixture.deps, caller, input)).rejects.toMatchObject({
        reason: 'terminal-consent-out-of-reach',
      });
      expect(await listModelConsents(fixture.deps, caller.viewer)).toEqual([]);
    }
    await expect(
      setModelConsent(fixture.deps, administratorOf(), { ...input, model: 'UNKNOWN' }),
    ).rejects.toMatchObject({ reason: 'terminal-consent-out-of-reach' });
    await fixture.setup.database.pool.query('delete from terminal_model_consent');
    const caller = administratorOf({ ...everywhere, models: [model] });
    await setModelConsent(fixture.deps, caller, { model, consent: 'required' });
    await setModelConsent(fixture.deps, caller, { model, consent: 'required' });
    expect(await listModelConsents(fixture.deps, caller.viewer)).toEqual([
      expect.objectContaining({ model, consent: 'required' }),
    ]);
    const events = await rowsOf<{ data: object }>(
      fixture.setup.database,
      `select data from audit_event where actor_id = $1`,
      [caller.viewer.userId],
    );
    expect(events.map(({ data }) => data)).toEqual([{ model, from: 'not-needed', to: 'required' }]);
  });
});
