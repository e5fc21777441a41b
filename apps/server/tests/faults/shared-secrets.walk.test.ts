import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { createKmsKey } from '../../../../packages/aws/tests/parts/create-kms-key.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { findFreePort } from '../../src/platform/http/find-free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms, Program } from '../support/programs/portal-programs.ts';

const LIMIT_MS = 280_000;
const PLACE = 'secretsmanager:deviceportal/walk';
const commands = join(import.meta.dirname, '../../src/cli');
const isSkipped = lacks('moto');

let moto: RunningPart;
let database: TestDatabase;
let first: PortalPrograms;
let second: PortalPrograms;
let settings: Record<string, string>;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  if (isSkipped) return;
  moto = resources.use(await startMoto());
  await fetch(`${moto.endpoint}/files`, { method: 'PUT' });
  database = resources.use(await createTestDatabase());
  first = resources.use(await PortalPrograms.prepare());
  second = resources.use(await PortalPrograms.prepare());
  settings = {
    DEVICEPORTAL_DATABASE_URL: database.url,
    DEVICEPORTAL_MQTT_PORT: String(await findFreePort('127.0.0.1')),
    DEVICEPORTAL_FILES: 's3://files/walk',
    DEVICEPORTAL_FILES_ENDPOINT: moto.endpoint,
    DEVICEPORTAL_SECRETS: PLACE,
    DEVICEPORTAL_SECRETS_ENDPOINT: moto.endpoint,
    AWS_ACCESS_KEY_ID: moto.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: moto.credentials.secretAccessKey,
  };
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

const withoutGateway = { DEVICEPORTAL_ROLES: 'web,identity,worker' };

/** Names of all secrets in Secrets Manager. */
async function secretNames(): Promise<string[]> {
  const answer = await callMoto(moto, 'secretsmanager', 'secretsmanager.ListSecrets', {});
  const { SecretList } = JSON.parse(answer) as { SecretList: { readonly Name: string }[] };
  return SecretList.map(({ Name }) => Name).toSorted();
}

/** Fingerprints that each running server announces. */
async function announced(): Promise<string[]> {
  const rows = await rowsOf<{ secrets: string }>(
    database.database,
    'select secrets::text as secrets from installation_server order by started_at',
  );
  return rows.map(({ secrets }) => secrets);
}

/** The error line of a start that is refused. */
async function refusedStart(over: Readonly<Record<string, string>>): Promise<string> {
  const before = first.server.output.length;
  first.server.start({ ...settings, ...withoutGateway, ...over });
  expect(await first.server.ended()).toBe(1);
  const lines = first.server.output
    .slice(before)
    .split('\n')
    .filter((line) => line.trim() !== '');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** Runs an operator command on a machine without a key in a folder. */
async function operate(
  [name, ...args]: readonly string[],
  over: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const command = new Program([
    ...[process.execPath, join(commands, `${name}-command.ts`), ...args],
    ...['--data-dir', join(second.dataDir, 'operator')],
  ]);
  command.start({ ...settings, DEVICEPORTAL_LOG_LEVEL: 'warn', ...over });
  return { code: await command.ended(), output: command.output };
}

test.skipIf(isSkipped)(
  'two servers that start at once with folders of their own share one set of secrets in AWS, also after a restore',
  async () => {
    await Promise.all([
      first.startServer(settings),
      second.startServer({ ...settings, ...withoutGateway }),
    ]);
    const names = await secretNames();
    expect(names).toEqual(
      [
        'certificates/authority.pem',
        'keys/audit-signing-keys.json',
        'keys/idp-application.secret',
        'keys/installation.key',
        'keys/releases-signing-keys.json',
        'keys/runs-signing-keys.json',
      ].map((name) => `deviceportal/walk/${name}`),
    );
    const administrator = await PortalPerson.signIn(first.url);
    const agent = first.startAgent('one', await administrator.createClaim('one'));
    const deviceId = await administrator.untilOnline(agent);

    // The other server takes over the devices: it has neither their authority nor a key in its folder.
    await first.server.end('SIGTERM');
    await second.server.end('SIGTERM');
    await second.startServer(settings);
    const other = await PortalPerson.signIn(second.url);
    expect(await other.untilOnline(agent)).toBe(deviceId);
    const sent = await other.runShell(deviceId, 'echo accepted');
    expect(await other.untilEnded(sent)).toMatchObject({ state: 'Success' });

    const [key, foreignKey] = [await createKmsKey(moto), await createKmsKey(moto)];
    expect(await operate(['admin', 'copy-secrets', `kms:${key}`])).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Copied 6 secrets from secretsmanager:\S+ to kms:\S+\. Their fingerprints are equal\.$/m,
      ),
    });
    expect(await refusedStart({ DEVICEPORTAL_SECRETS: `kms:${foreignKey}` })).toMatch(
      new RegExp(
        `is missing, but this database belongs .* set DEVICEPORTAL_SECRETS to kms:${key}\\.`,
      ),
    );
    expect(
      await refusedStart({ DEVICEPORTAL_SECRETS: 'secretsmanager:deviceportal/other' }),
    ).toMatch(
      /secretsmanager:deviceportal\/other\/keys\/installation\.key is missing, but this database belongs/,
    );
    expect(await refusedStart({ DEVICEPORTAL_SECRETS: 'file' })).toMatch(
      /keys\/installation\.key is missing, but this database belongs/,
    );
    expect(await secretNames()).toEqual(names);

    await first.startServer({ ...settings, ...withoutGateway, DEVICEPORTAL_SECRETS: `kms:${key}` });
    const [ofSecond, ofFirst] = await announced();
    expect(ofFirst).toBe(ofSecond);

    await using restored = await createTestDatabase({ empty: true });
    const file = join(second.dataDir, 'backup');
    const sealed = { DEVICEPORTAL_SECRETS: `kms:${key}` };
    expect(await operate(['backup', file, '--plaintext'], sealed)).toMatchObject({ code: 0 });
    const restore = (over: Readonly<Record<string, string>>) =>
      operate(['restore', file, '--plaintext', '--trust-keys-in-backup', '--no-erasures'], {
        DEVICEPORTAL_DATABASE_URL: restored.url,
        ...over,
      });
    expect(await restore({ DEVICEPORTAL_SECRETS: 'secretsmanager:deviceportal/other' })).toEqual({
      code: 1,
      output: expect.stringMatching(
        /other\/keys\/installation\.key is missing, and a restore creates no secrets/,
      ),
    });
    expect(await restore(sealed)).toMatchObject({ code: 0 });
    expect(
      await operate(['verify-audit'], { DEVICEPORTAL_DATABASE_URL: restored.url, ...sealed }),
    ).toMatchObject({ code: 0 });
  },
  LIMIT_MS,
);
