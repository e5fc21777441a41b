import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AGENT_VERSION } from '../apps/agent/src/agent-version.ts';
import { sealAgent } from '@deviceportal/command-signing/signed-agent';
import { createFileSecrets } from '../apps/server/src/platform/secrets/file-secret-engine.ts';
import {
  openInstallationSecrets,
  type SigningKeyRing,
} from '../apps/server/src/platform/installation-secrets.ts';
import { archiveAgent } from './release/archive-agent.ts';
import { packCli } from './release/pack-cli.ts';
import { faultsOfRelease, sealRelease } from './release/release-folder.ts';

const root = resolve(import.meta.dirname, '..');
const usage = `npm run release -- [--keys DATA_DIR] [--out dist/release] [--allow-downgrade]
npm run release -- --verify FOLDER [--keys DATA_DIR]

Builds what is shipped and signs it with the release key of DATA_DIR (.data by default; made when it is missing).
With --allow-downgrade, devices with a newer agent may take this one.`;
const MAX_SBOM_BYTES = 64 * 1024 * 1024;

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '.data' },
    out: { type: 'string', default: join('dist', 'release') },
    verify: { type: 'string' },
    'allow-downgrade': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(`${usage}\n`);
else if (values.verify === undefined) await release(resolve(values.out));
else await verify(resolve(values.verify));

async function release(folder: string): Promise<void> {
  requireCommitted();
  const startedAt = new Date();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  const { current } = await releaseKeys();
  const agent = join(root, 'apps', 'agent', 'dist', 'agent.mjs');
  const stated = {
    version: AGENT_VERSION,
    allowsDowngrade: values['allow-downgrade'],
    releasedAt: startedAt.toISOString(),
  };
  const built = await readFile(agent);
  // Before the server is archived, which serves this file.
  await writeFile(agent, await sealAgent(built, stated, current));
  await archiveServer(folder, version);
  await copyFile(agent, join(folder, `device-portal-agent-${version}.mjs`));
  await archiveAgent(folder, { version, bundleFile: agent, licenseFile: join(root, 'LICENSE') });
  packCli(folder);
  // A server started from the sources signs with its own keys.
  await writeFile(agent, built);
  await writeFile(join(folder, `device-portal-${version}.cdx.json`), billOfMaterials());
  const lock = await readFile(join(root, 'package-lock.json'));
  const digests = await sealRelease(
    folder,
    {
      ...{ version, commit: git('rev-parse', 'HEAD').trim(), node: process.version, startedAt },
      lockSha256: createHash('sha256').update(lock).digest('hex'),
      finishedAt: new Date(),
    },
    current,
  );
  process.stdout.write(
    `${Object.keys(digests).length} files in ${relative(root, folder)}, signed with the key ${current.keyId}.\n`,
  );
}

async function verify(folder: string): Promise<void> {
  const faults = await faultsOfRelease(folder, (await releaseKeys()).trusted);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
  else process.stdout.write('All files match the release.\n');
}

async function releaseKeys(): Promise<SigningKeyRing> {
  const secrets = await openInstallationSecrets(createFileSecrets(resolve(values.keys)));
  return secrets.signingKeys('releases');
}

/** Requires a clean checkout, so that the statement names the built sources. */
function requireCommitted(): void {
  if (git('status', '--porcelain').trim() === '') return;
  process.stderr.write(
    'Commit or remove your changes first, because a release contains its commit.\n',
  );
  process.exit(2);
}

/** The committed sources, with the built portal, agent, and server. */
async function archiveServer(folder: string, version: string): Promise<void> {
  const name = `device-portal-${version}`;
  const built = [
    ...(await filesBelow(join('apps', 'portal', 'dist'))),
    ...(await filesBelow(join('apps', 'agent', 'dist'))),
    ...(await filesBelow(join('apps', 'server', 'dist'))),
  ];
  const added = built.flatMap((file) => [
    `--prefix=${name}/${file.split(/[/\\]/).slice(0, -1).join('/')}/`,
    `--add-file=${file}`,
  ]);
  git(
    ...['archive', '--format=tar.gz', `--output=${join(folder, `${name}.tar.gz`)}`],
    ...[...added, `--prefix=${name}/`, 'HEAD'],
  );
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** CycloneDX bill of materials of an installation. */
function billOfMaterials(): Buffer {
  return execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: root,
    maxBuffer: MAX_SBOM_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}
