import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf } from './parts.ts';
import { startPart, type RunningPart } from './start-part.ts';

/** Catalog of tables over files in S3. */
export const TRINO_CATALOG = 'hive';

/** Trino on the loopback interface, with tables over files of an S3 store. No table outlasts it. */
export async function startTrino(s3: Omit<RunningPart, 'kill'>): Promise<RunningPart> {
  const folder = await mkdtemp(join(tmpdir(), 'trino-'));
  const home = folderOf('Trino');
  await mkdir(join(folder, 'catalogs'));
  await writeFile(join(folder, 'server.properties'), textOf(settingsOf(home, folder)));
  const catalog = join(folder, 'catalogs', `${TRINO_CATALOG}.properties`);
  await writeFile(catalog, textOf(catalogOf(s3, folder)));
  const part = await startPart({
    program: join(home, 'java', 'bin', 'java'),
    args: (port) => [
      ...['-Xmx768m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Dconfig=${join(folder, 'server.properties')}`,
      `-Dhttp-server.http.port=${port}`,
      `-Ddiscovery.uri=http://127.0.0.1:${port}`,
      ...['-cp', `${join(home, 'core')}:${join(home, 'core', '*')}`, 'StartTrino'],
    ],
    cwd: folder,
  });
  await untilReady(part);
  return {
    ...part,
    async [Symbol.asyncDispose]() {
      await part.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const settingsOf = (home: string, folder: string) => ({
  'node.environment': 'test',
  'node.internal-address': '127.0.0.1',
  'node.bind-ip': '127.0.0.1',
  'plugin.dir': join(home, 'plugin'),
  'catalog.config-dir': join(folder, 'catalogs'),
  coordinator: 'true',
  'node-scheduler.include-coordinator': 'true',
  'query.max-memory': '256MB',
  'query.max-memory-per-node': '256MB',
  'memory.heap-headroom-per-node': '128MB',
});

const catalogOf = (s3: Omit<RunningPart, 'kill'>, folder: string) => ({
  'connector.name': 'hive',
  'hive.metastore': 'file',
  'hive.metastore.catalog.dir': 'local:///tables',
  'hive.partition-projection-enabled': 'true',
  'hive.non-managed-table-writes-enabled': 'true',
  'fs.native-local.enabled': 'true',
  'local.location': folder,
  'fs.native-s3.enabled': 'true',
  's3.endpoint': s3.endpoint,
  's3.region': s3.region,
  's3.path-style-access': 'true',
  's3.aws-access-key': s3.credentials.accessKeyId,
  's3.aws-secret-key': s3.credentials.secretAccessKey,
});

const textOf = (properties: Readonly<Record<string, string>>): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** It answers before it accepts queries, and accepts them before it has a node that runs them. */
async function untilReady({ endpoint }: RunningPart): Promise<void> {
  while (!(await hasNode(endpoint))) await sleep(100);
}

interface Answer {
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
}

async function hasNode(endpoint: string): Promise<boolean> {
  const statement = "select 1 from system.runtime.nodes where state = 'active'";
  const headers = { 'X-Trino-User': 'test' };
  let answer = await read(`${endpoint}/v1/statement`, { method: 'POST', headers, body: statement });
  while (answer.nextUri !== undefined && answer.data === undefined) {
    answer = await read(answer.nextUri, { headers });
  }
  return (answer.data ?? []).length > 0;
}

async function read(url: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(url, request);
  return (await response.json().catch(() => ({}))) as Answer;
}
