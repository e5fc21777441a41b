import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../apps/server/src/platform/database/embedded-postgres.ts';
import { findFreePort } from '../../../apps/server/src/platform/http/find-free-port.ts';
import { openTempDir } from '../../device-fixture.ts';
import { run } from '../install-peer.ts';
import type { Product } from '../product.ts';
import { installMeshCentral } from './install-meshcentral.ts';
import { env, type MeshCentralDatabase, type MeshCentralPlace } from './meshcentral-place.ts';
import { startMeshCentral } from './start-meshcentral.ts';

/**
 * In production mode and WAN mode, on PostgreSQL with the settings of Device Portal's own, or on NeDB. Without Intel AMT
 * (`mpsPort`), the redirection from HTTP, and the time stamps of signed agents, which need the internet.
 */
export async function openMeshCentral(
  resources: AsyncDisposableStack,
  database: MeshCentralDatabase,
): Promise<Product> {
  const directory = await installMeshCentral();
  const dataDir = await openTempDir(resources);
  const port = await findFreePort('127.0.0.1');
  const settings = {
    cert: 'mesh.example',
    WANonly: true,
    ...{ port, portBind: '127.0.0.1', exactPorts: true, redirPort: 0, mpsPort: 0 },
    ...{ selfUpdate: false, agentTimeStampServer: false },
    ...(database === 'postgres' && {
      postgres: {
        host: join(dataDir, 'postgres-socket'),
        user: 'postgres',
        database: 'meshcentral',
      },
    }),
  };
  await writeFile(
    join(dataDir, 'config.json'),
    JSON.stringify({ settings, domains: { '': { newAccounts: false, maxDeviceView: 100_000 } } }),
  );
  const place: MeshCentralPlace = {
    ...{ directory, dataDir, port, database },
    account: { name: 'bench', password: 'Bench-account-1' },
    command: [join(directory, 'node_modules/meshcentral'), '--datapath', dataDir],
  };
  return {
    name: 'MeshCentral',
    prepare: () => createAccount(place),
    start: () => startMeshCentral(place),
  };
}

/** A site administrator. */
async function createAccount(place: MeshCentralPlace): Promise<void> {
  const { directory, dataDir, account, command } = place;
  await using resources = new AsyncDisposableStack();
  if (place.database === 'postgres') resources.use(await startEmbeddedPostgres({ dataDir }));
  for (const words of [
    ['--createaccount', account.name, '--pass', account.password],
    ['--adminaccount', account.name],
  ])
    await run(process.execPath, [...command, ...words], { cwd: directory, env });
}
