import { execFile } from 'node:child_process';
import { access, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAgent, sealAgent } from '@deviceportal/command-signing/signed-agent';
import { registerAgentDownloadRoutes } from '../../src/devices/enrollment/agent-download-routes.ts';
import { AgentDownloads } from '../../src/devices/enrollment/agent-downloads.ts';
import {
  openSigningKeyRing,
  type RotatingKeyRing,
} from '../../src/platform/secrets/signing-key-ring.ts';
import { createMemorySecrets } from '../support/secrets/memory-secrets.ts';

const template = join(import.meta.dirname, '../../../agent/install.sh.template');
/** Prints the argument with which the installer starts it. */
const PROGRAM = `console.log('started', process.argv[2], process.env.DEVICEPORTAL_AGENT_KEY);\n`;
const EVIL = `console.log('evil');\n`;
const release = { version: '1.2.3', allowsDowngrade: false, releasedAt: '2026-11-23T00:00:00Z' };

let directory: string;
let ring: RotatingKeyRing;
let portal: FastifyInstance;
let downloads: AgentDownloads;
/** A server between device and portal; returns these responses instead of the portal's own. */
let network: Server;
const foreign = new Map<string, string | Buffer>();

const newRing = () =>
  openSigningKeyRing({ store: createMemorySecrets(), name: 'releases', now: new Date() });
const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  foreign.clear();
  directory = await mkdtemp(join(tmpdir(), 'dp-install-'));
  await writeFile(join(directory, 'agent.mjs'), PROGRAM);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ version: release.version }));
  await copyFile(template, join(directory, 'install.sh.template'));
  ring = await newRing();
  portal = Fastify();
  network = createServer((request, response) => {
    const other = foreign.get(request.url ?? '');
    if (other !== undefined) response.end(other);
    else {
      void portal.inject({ url: request.url ?? '' }).then(({ statusCode, rawPayload }) => {
        response.writeHead(statusCode).end(rawPayload);
      });
    }
  });
  await new Promise<void>((resolve) => {
    network.listen(0, '127.0.0.1', resolve);
  });
  downloads = new AgentDownloads({
    bundleFile: join(directory, 'agent.mjs'),
    packageFile: join(directory, 'package.json'),
    installerTemplateFile: join(directory, 'install.sh.template'),
    publicUrl: `${addressOf(network)}/`,
    ring,
    clock: () => new Date(),
  });
  registerAgentDownloadRoutes(portal, downloads);
});
afterEach(async () => {
  network.closeAllConnections();
  network.close();
  await portal.close();
  await rm(directory, { recursive: true });
});

/** Runs the command that the portal shows, with options appended. */
async function install(
  command: string,
): Promise<{ readonly said: string; readonly kept: boolean }> {
  const home = join(directory, 'home');
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const said = await promisify(execFile)('bash', ['-c', `${command} --state-dir ${home}`], { env })
    .then(({ stdout }) => stdout)
    .catch((error: { stderr: string }) => error.stderr);
  const kept = await access(join(home, 'download/agent.mjs')).then(
    () => true,
    () => false,
  );
  return { said, kept };
}

test('[install-1] the command shown by the portal installs the agent that the portal signed', async () => {
  const { said, kept } = await install(await downloads.installCommand('TOKEN'));
  expect(said).toBe(`started run ${ring.current.keyId}\n`);
  expect(kept).toBe(true);
});

test('[install-2] an installer modified in transit does not run', async () => {
  const command = await downloads.installCommand('TOKEN');
  foreign.set('/agent/install.sh', `#!/bin/sh\necho evil\n`);
  const { said, kept } = await install(command);
  expect(said).toBe('install.sh differs from the one shown in the portal\n');
  expect(kept).toBe(false);
});

test.each<[string, string, () => Promise<string | Buffer>]>([
  ['without a signature', 'is not signed', async () => EVIL],
  [
    'signed with another key',
    'is signed with another key',
    async () => sealAgent(Buffer.from(EVIL), release, (await newRing()).current),
  ],
  [
    'with the signature of the real one',
    'does not match its signature',
    async () => {
      const sealed = (await downloads.program()).bytes.toString('latin1');
      return sealed.replace(PROGRAM, EVIL);
    },
  ],
  [
    'with a statement that was changed',
    'has an invalid signature',
    async () => {
      const sealed = (await downloads.program()).bytes.toString('latin1');
      const at = sealed.lastIndexOf('=') + 1;
      const seal = JSON.parse(Buffer.from(sealed.slice(at), 'base64url').toString('utf8'));
      const changed = { ...seal, payload: seal.payload.replace('1.2.3', '9.9.9') };
      return (
        sealed.slice(0, at) + Buffer.from(JSON.stringify(changed)).toString('base64url') + '\n'
      );
    },
  ],
])('an agent %s does not run', async (_what, reason, make) => {
  const command = await downloads.installCommand('TOKEN');
  foreign.set('/agent/agent.mjs', await make());
  const { said, kept } = await install(command);
  expect(said).toBe(`deviceportal-agent: the downloaded agent ${reason}\n`);
  expect(kept).toBe(false);
});

const openBy = (key: string, bytes: Buffer) => openAgent(bytes, (keyId) => keyId === key);

test('the portal serves a release as it was signed, signs one from another installation, and serves none that was modified', async () => {
  const bundle = join(directory, 'agent.mjs');
  const sealed = await sealAgent(Buffer.from(PROGRAM), release, ring.current);
  await writeFile(bundle, sealed);
  expect((await downloads.program()).bytes.equals(sealed)).toBe(true);
  const other = { ...release, version: '1.2.4' };
  const foreignOne = await sealAgent(Buffer.from(PROGRAM), other, (await newRing()).current);
  await writeFile(bundle, foreignOne);
  const served = await downloads.program();
  expect(served.keyId).toBe(ring.current.keyId);
  expect(openBy(ring.current.keyId, served.bytes)).toMatchObject({ release: other });
  await writeFile(bundle, foreignOne.toString('latin1').replace('started', 'changed'));
  await expect(downloads.program()).rejects.toMatchObject({ code: 2000, detail: 'changed' });
});
