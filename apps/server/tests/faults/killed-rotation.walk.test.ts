import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '@deviceportal/contract/ids';
import { createMessageSeal } from '../../src/messages/message-seal.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { keyPurposes } from '../../src/platform/secrets/key-purposes.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';
import { programEnv } from '../support/programs/program-env.ts';
import { until } from '../support/gateway-fixture.ts';
import { commandFile } from '../support/programs/program-files.ts';

const admin = commandFile('admin');
const MESSAGES = 20_000;
const message = { to: 'a@example.com', subject: 's', text: 't', html: 'h' } as never;

let portal: PortalPrograms;
let agent: AgentProgram;
let person: PortalPerson;
let deviceId: string;

beforeAll(async () => {
  portal = await PortalPrograms.prepare();
  await portal.startServer();
  person = await PortalPerson.signIn(portal.url);
  agent = portal.startAgent('one', await person.createClaim('one'));
  deviceId = await person.untilOnline(agent);
  await sealMessages();
});
afterAll(() => portal[Symbol.asyncDispose]());

const openSeal = async () => {
  const secrets = await openInstallationSecrets(createFileSecrets(portal.dataDir));
  return { secrets, seal: createMessageSeal(secrets.keysFor(keyPurposes.messages)) };
};

async function sealMessages(): Promise<void> {
  const { seal } = await openSeal();
  const ids = Array.from({ length: MESSAGES }, () => newId());
  const boxes = ids.map((id) => seal.seal(id, message));
  await portal.sql(
    `insert into outgoing_message (id, channel, kind, recipient_hash, sealed, state, repeatable, attempts,
       free_at, expires_at, created_at)
     select id, 'email', 'notice', 'hash', sealed, 'waiting', true, 0, now() + interval '1 day',
       now() + interval '1 day', now()
     from unnest($1::uuid[], $2::text[]) as made(id, sealed)`,
    [ids, boxes],
  );
}

/** Number of messages that the current key opens. */
async function countResealed(): Promise<number> {
  const { secrets } = await openSeal();
  const seal = createMessageSeal(secrets.keysFor(keyPurposes.messages).current);
  const rows = await portal.sql<{ id: string; sealed: string }>(
    'select id, sealed from outgoing_message where sealed is not null',
  );
  return rows.filter(({ id, sealed }) => opens(() => seal.open(id, sealed))).length;
}

function opens(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function runAdmin(...words: readonly string[]) {
  const child = spawn(process.execPath, [admin, ...words, '--data-dir', portal.dataDir], {
    env: programEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([out, errors, [code]]) => ({ code: code as number | null, output: out + errors }),
  );
  return { child, ended };
}

test('continues a killed rotation of the installation key while a server runs', async () => {
  const { child, ended } = runAdmin('rotate', 'installation');
  await until(async () => (await countResealed()) > 0, 60_000);
  child.kill('SIGKILL');
  await ended;
  const resealed = await countResealed();
  expect(resealed).toBeGreaterThan(0);
  // All users can sign in, whichever key sealed their data.
  await PortalPerson.signIn(portal.url);

  const again = await runAdmin('rotate', 'installation').ended;
  expect(again.output).toMatch(
    /values were sealed again\.\nRotated: installation\. .* accepted until/,
  );
  expect(again.code).toBe(0);
  expect(await countResealed()).toBe(MESSAGES);
  const events = await portal.sql(
    "select from audit_event where type = 'installation.secret-rotated'",
  );
  expect(events).toHaveLength(1);

  const ending = await runAdmin('rotate', 'installation', '--now').ended;
  expect(ending).toMatchObject({ code: 0 });
  expect(ending.output).toContain('The previous key is destroyed.');
  await PortalPerson.signIn(portal.url);
  expect(await portal.server.end('SIGTERM')).toBe(0);
  await portal.startServer();
  person = await PortalPerson.signIn(portal.url);
  await person.untilOnline(agent);
}, 240_000);

/** Runs the hourly job. */
async function theHourComes(): Promise<void> {
  await using database = openDatabase({ url: await portal.databaseUrl() });
  await using jobs = createJobs({
    database,
    logger: createLogger({ logLevel: 'silent' }),
    metrics: createMetrics(),
    work: false,
  });
  const job = defineJob('installation-rotate-secrets', z.object({}), () => Promise.resolve());
  await jobs.start();
  await jobs.send(job, {});
}

test('continues a scheduled rotation on the next server after its server was killed', async () => {
  await portal.sql('delete from outgoing_message');
  await sealMessages();
  await portal.sql(
    "update installation_secret set since = since - interval '400 days' where name = 'installation-key'",
  );
  const before = (await openSeal()).secrets.installationKey.current;
  await theHourComes();
  const current = async () => (await openSeal()).secrets.installationKey.current;
  await until(async () => Buffer.compare(await current(), before) !== 0, 30_000);
  await until(async () => (await countResealed()) > 0, 60_000);
  await portal.server.end('SIGKILL');
  expect(await countResealed()).toBeLessThan(MESSAGES);

  await portal.startServer();
  await theHourComes();
  await until(async () => (await countResealed()) === MESSAGES, 60_000);
  const { secrets } = await openSeal();
  expect(secrets.installationKey.earlier.map((key) => Buffer.compare(key, before))).toEqual([0]);
  const events = await portal.sql(
    `select from audit_event where type = 'installation.secret-rotated'
       and data->>'secret' = 'installation-key'`,
  );
  expect(events).toHaveLength(2);
  person = await PortalPerson.signIn(portal.url);
  await person.untilOnline(agent);
}, 240_000);

test('rotates the device authority by command while the agent stays connected', async () => {
  const before = await agent.identity();
  const { code, output } = await runAdmin('rotate', 'device-authority').ended;
  expect(output).toMatch(/^Rotated: device-authority\. The previous secret is accepted until 2/);
  expect(code).toBe(0);
  await until(async () => (await agent.identity()).authorities !== before.authorities, 20_000);
  expect((await agent.identity()).authorities).toContain(before.authorities.trim());
  await agent.program.end('SIGKILL');
  agent.program.start();
  expect(await person.untilOnline(agent)).toBe(deviceId);
});

test('prints the fingerprints, and the key of the audit trail to pin', async () => {
  const { code, output } = await runAdmin('keys').ended;
  expect(code).toBe(0);
  expect(output).toMatch(/^installation-key +[0-9a-f]{64} {2}since 2/m);
  expect(output).toMatch(/^device-authority +[0-9a-f]{64} /m);
  expect(output).toMatch(/^ {2}earlier +[0-9a-f]{64}$/m);
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^[\w-]{43}$/);
});
