import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPeer, run } from '../install-peer.ts';

export const MESHCENTRAL_VERSION = '1.1.55';
/** The version that this release of MeshCentral requires. */
const PG_VERSION = '8.16.3';

/** The folder whose `node_modules` contains MeshCentral, with its agents, and its client of PostgreSQL. */
export const installMeshCentral = (): Promise<string> =>
  installPeer(`meshcentral-${MESHCENTRAL_VERSION}`, async (directory) => {
    await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
    const packages = [`meshcentral@${MESHCENTRAL_VERSION}`, `pg@${PG_VERSION}`];
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];
    await run('npm', ['install', ...options, ...packages], { cwd: directory });
  });
