import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noTrust } from '@deviceportal/command-signing/key-trust';
import { PackageDirectory, programRoot } from '../../src/machine/package-directory.ts';
import { writeIdentity, type Identity } from '../../src/store/identity-file.ts';
import type { TestReleaseKey } from './release-key.ts';

/** A machine with the agent installed as a service by `install-service`. */
export interface InstalledAgent extends AsyncDisposable {
  readonly directory: string;
  /** Directory of the current version. */
  readonly current: () => Promise<string>;
  readonly isOnTrial: () => Promise<boolean>;
  /** Starts the service once. Returns its output, or how it ended. */
  readonly launch: (patienceMs?: number) => Promise<string>;
}

export async function installAgent(
  program: Uint8Array,
  {
    launcher,
    identity,
    key,
  }: { readonly launcher: string; readonly identity: Identity; readonly key: TestReleaseKey },
): Promise<InstalledAgent> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-update-'));
  const root = programRoot(directory);
  const publicKey = Buffer.from(key.publicKey).toString('base64');
  const releases = { ...noTrust, keys: [{ publicKey, by: null }] };
  await writeIdentity(directory, { ...identity, trust: { runs: noTrust, releases } });
  const artifactPath = join(directory, 'agent.mjs');
  await writeFile(artifactPath, program);
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'agent-launcher.mjs'), launcher);
  await new PackageDirectory(root).install({
    ...{ name: 'agent', version: '0.1.0', artifactPath, operation: 'program/first' },
  });
  return {
    directory,
    current: () => readlink(join(root, 'agent/current')),
    isOnTrial: () =>
      access(join(root, 'trial.json')).then(
        () => true,
        () => false,
      ),
    launch: (patienceMs = 60_000) =>
      promisify(execFile)(process.execPath, [join(root, 'agent-launcher.mjs'), 'run'], {
        env: { ...process.env, DEVICEPORTAL_AGENT_TRIAL_MS: String(patienceMs) },
      }).then(
        ({ stdout }) => stdout.trim(),
        (error: { signal?: string }) => error.signal ?? 'failed',
      ),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
