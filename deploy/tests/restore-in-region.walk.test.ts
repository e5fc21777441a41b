import { createHash } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportRow } from '@deviceportal/contract/reports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callMoto } from '../../packages/aws/tests/parts/call-moto.ts';
import { lacks } from '../../packages/aws/tests/parts/parts.ts';
import { startMoto } from '../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../packages/aws/tests/parts/start-part.ts';
import { startVersitygwIn } from '../../packages/aws/tests/parts/start-versitygw.ts';
import { readBackupStatus } from '../../apps/server/src/backups/backup-status.ts';
import { makeIdentity } from '../../apps/server/src/platform/backup/backup-encryption.ts';
import { AcceptanceFixture } from '../../apps/server/tests/acceptance/acceptance-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../apps/server/tests/support/database/create-test-database.ts';
import { rowsOf, until } from '../../apps/server/tests/support/gateway-fixture.ts';
import { PortalPerson } from '../../apps/server/tests/support/portal-person.ts';
import {
  PortalPrograms,
  Program,
} from '../../apps/server/tests/support/programs/portal-programs.ts';

const LIMIT_MS = 280_000;
const script = join(import.meta.dirname, '../recovery/restore-in-region.sh');
const isSkipped = lacks('moto') || lacks('versitygw');
const resources = new AsyncDisposableStack();

/** A region: a database, secrets, and files. */
interface Region {
  readonly database: TestDatabase;
  readonly secrets: RunningPart;
  readonly store: RunningPart;
  readonly settings: Readonly<Record<string, string>>;
}

let folder: string;
let lost: Region;
let other: Region;
let backups: Record<string, string>;
let identity: string;

beforeAll(async () => {
  if (isSkipped) return;
  folder = await mkdtemp(join(tmpdir(), 'dp-region-'));
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  lost = await startRegion('eu-west-1', { empty: false });
  other = await startRegion('eu-central-1', { empty: true });
  identity = join(folder, 'identity.txt');
  const { text, recipient } = await makeIdentity(new Date());
  await writeFile(identity, text);
  backups = {
    DEVICEPORTAL_BACKUP_LOCATION: 's3://backups/portal',
    DEVICEPORTAL_BACKUP_REGION: other.store.region,
    DEVICEPORTAL_BACKUP_ENDPOINT: other.store.endpoint,
    DEVICEPORTAL_BACKUP_RECIPIENT: recipient,
  };
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

async function startRegion(
  region: string,
  { empty }: { readonly empty: boolean },
): Promise<Region> {
  const database = resources.use(await createTestDatabase({ empty }));
  const secrets = resources.use(await startMoto());
  const store = resources.use(await startVersitygwIn(region, 'files', 'backups'));
  return {
    ...{ database, secrets, store },
    settings: {
      DEVICEPORTAL_REGION: region,
      DEVICEPORTAL_DATABASE_URL: database.url,
      DEVICEPORTAL_FILES: 's3://files/portal',
      DEVICEPORTAL_FILES_ENDPOINT: store.endpoint,
      DEVICEPORTAL_SECRETS: 'secretsmanager:deviceportal/walk',
      DEVICEPORTAL_SECRETS_ENDPOINT: secrets.endpoint,
      AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    },
  };
}

/** As Secrets Manager does between regions: `replicate-secret-to-regions`. */
async function replicateSecrets(): Promise<number> {
  const [from, to] = [lost, other].map(({ secrets, store }) => ({
    ...secrets,
    region: store.region,
  })) as [RunningPart, RunningPart];
  const call = async <Answer>(part: RunningPart, action: string, input: object): Promise<Answer> =>
    JSON.parse(await callMoto(part, 'secretsmanager', `secretsmanager.${action}`, { ...input }));
  const { SecretList: found } = await call<{ SecretList: { readonly Name: string }[] }>(
    ...([from, 'ListSecrets', {}] as const),
  );
  for (const { Name } of found) {
    const value = await call<{ SecretString?: string; SecretBinary?: string }>(
      ...([from, 'GetSecretValue', { SecretId: Name }] as const),
    );
    const { SecretString, SecretBinary } = value;
    await call(to, 'CreateSecret', { Name, SecretString, SecretBinary });
  }
  return found.length;
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function download(url: string, base: string): Promise<Buffer> {
  const response = await fetch(new URL(url, base));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

test.skipIf(isSkipped)(
  'after the loss of a region, the script restores database and files in another one, and devices come back',
  async () => {
    const portal = resources.use(await PortalPrograms.prepare());
    await portal.startServer(lost.settings);
    const administrator = await PortalPerson.signIn(portal.url);
    const agent = portal.startAgent('one', await administrator.createClaim('one'));
    const deviceId = await administrator.untilOnline(agent);
    const collected = await new AcceptanceFixture(administrator).run({
      ...{ deviceId, command: 'logs/collect', parameters: { hours: 1 } },
    });
    const [file] = collected.artifacts;
    // The first backup is made at the start.
    await portal.server.end('SIGTERM');
    await portal.startServer({ ...lost.settings, ...backups });
    await until(async () => (await readBackupStatus(lost.database.database.orm))?.last, 60_000);
    expect(await replicateSecrets()).toBeGreaterThan(4);

    // The region is lost, with its servers.
    await portal.server.end('SIGKILL');
    await lost.store.kill();
    await lost.secrets.kill();
    const work = join(folder, 'work');
    const restore = resources.use(
      new Program([script, work, identity, '--trust-keys-in-backup', '--no-erasures']),
    );
    restore.start({
      ...{ ...other.settings, ...backups },
      DEVICEPORTAL_LOG_LEVEL: 'warn',
    });
    const code = await restore.ended();
    expect({ code, output: restore.output }).toMatchObject({ code: 0 });
    expect(restore.output).toMatch(/This database now uses s3:\/\/files\/portal/);

    // The host name leads to the other region.
    const second = resources.use(await PortalPrograms.prepareOn(join(folder, 'server'), portal));
    await second.startServer(other.settings);
    const there = await PortalPerson.signIn(second.url);
    expect(await there.untilOnline(agent)).toBe(deviceId);
    const sent = await there.runShell(deviceId, 'echo here');
    expect(await there.untilEnded(sent)).toMatchObject({ state: 'Success' });
    const earlier = await there.mustAsk<typeof collected>('commands.getInvocation', {
      id: collected.id,
    });
    const link = earlier.artifacts[0]?.downloadUrl ?? '';
    expect(sha256(await download(link, second.url))).toBe(file?.sha256);
    await opensReports(there, second.url);
  },
  LIMIT_MS,
);

async function opensReports(person: PortalPerson, url: string): Promise<void> {
  const personId = randomUUID();
  await rowsOf(
    other.database.database,
    `insert into person (id, username, name, email, phone, country)
     values ($1, 'mei', 'Mei', 'mei@corp.example', '+48123456789', 'PL')`,
    [personId],
  );
  const { reportId: id } = await person.mustOrder<{ reportId: string }>('reports.request', {
    personId,
  });
  await until(
    async () => (await person.mustAsk<ReportRow>('reports.get', { id })).endedAt !== null,
    60_000,
  );
  const { downloadUrl } = await person.mustOrder<{ downloadUrl: string }>('reports.linkFile', {
    ...{ id, format: 'json' },
  });
  expect((await download(downloadUrl, url)).toString()).toContain('Mei');
}
