import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { WebPageIngest } from '../../src/web-pages/ingest-web-page-messages.ts';
import { openWebPage } from '../../src/web-pages/open-web-page.ts';
import { until } from '../support/gateway-fixture.ts';
import { callerOf, openWebPageFixture, type WebPageFixture } from './web-page-fixture.ts';

let fixture: WebPageFixture;
let folder = '';
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-page-consent-'));
  const consentProgram = file('ask');
  const script = `#!/bin/sh
echo "$DEVICEPORTAL_CONSENT_SUBJECT $DEVICEPORTAL_TERMINAL_REASON" > ${file('asked')}
if [ -e ${file('thinks')} ]; then sleep 30; fi
test -e ${file('agrees')}
`;
  await writeFile(consentProgram, script, { mode: 0o755 });
  fixture = await openWebPageFixture({ terminal: { isOn: true, account: null, consentProgram } });
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const name of ['asked', 'agrees', 'thinks']) await rm(file(name), { force: true });
});

test('a page opens when the person at the device agrees, and the consent is recorded', async () => {
  await writeFile(file('agrees'), '');
  const sessionId = await fixture.open();
  expect((await fixture.row(sessionId)).state).toBe('open');
  expect(await readFile(file('asked'), 'utf8')).toBe('web-page test of web pages\n');
  const [given] = await fixture.events('web-page.consent-given');
  expect(given).toMatchObject({ sessionId, signature: expect.any(String) });
});

test('a page does not open when the person refuses', async () => {
  const sessionId = await fixture.open();
  expect(await fixture.row(sessionId)).toMatchObject({
    ...{ state: 'ended', end_reason: 'refused', obstacle: 'consent-refused' },
  });
});

test('a page that a device opens without a required consent is closed', async () => {
  const { database } = fixture.setup;
  const { deviceId } = fixture.device;
  await writeFile(file('thinks'), '');
  await database.pool.query(`update device set model = 'asks' where id = $1`, [deviceId]);
  await database.pool.query(
    `insert into terminal_model_consent (model, consent, changed_by_id, changed_by)
     values ('asks', 'required', $1, '')`,
    [newId()],
  );
  const input = { deviceId, port: fixture.web.port, reason: 'without a consent' };
  const { sessionId } = await openWebPage(fixture.deps, callerOf(fixture.viewer), input);
  await until(async () => (await readFile(file('asked'), 'utf8').catch(() => '')) !== '');
  using ingest = new WebPageIngest({
    ...fixture.deps,
    ...{ webPageLines: fixture.setup.webPageLines, refuse: () => {} },
  });
  const payload = Buffer.from(JSON.stringify({ kind: 'opened', session: sessionId }));
  await ingest.take({ deviceId, payload });
  expect((await fixture.row(sessionId)).end_reason).toBe('consent-unproved');
  await database.pool.query('delete from terminal_model_consent');
});

test('a session ends with the agent', async () => {
  await writeFile(file('agrees'), '');
  const sessionId = await fixture.open();
  await fixture.agent.stop();
  await until(async () => (await fixture.row(sessionId)).end_reason === 'agent-stopped');
});
