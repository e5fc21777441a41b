import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CLAIM, startTestEnrollment } from '../apps/agent/tests/support/test-enrollment.ts';
import {
  resultOf,
  shellCommand,
  startTestGateway,
} from '../apps/agent/tests/support/test-gateway.ts';
import { withoutMachine } from './upgrade/without-machine.ts';

const root = resolve(import.meta.dirname, '..');
const usage = `node scripts/record-agent.ts REVISION

Builds the agent of an earlier release from the Git history, and writes what it sends to
packages/device-protocol/recordings/DATE-REVISION.json.`;
const SERIAL = 'RECORDED-1';

const [revision] = process.argv.slice(2);
if (revision === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
await record(revision);

async function record(rev: string): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'record-agent-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const program = await buildAgentOf(rev, directory);
  const gateway = resources.use(await startTestGateway());
  const enrollment = resources.use(await startTestEnrollment(gateway));
  const options = ['--server', enrollment.url, '--serial', SERIAL, '--state-dir'];
  const agent = spawn(process.execPath, [program, 'run', ...options, join(directory, 'state')], {
    env: { ...process.env, DEVICEPORTAL_AGENT_CLAIM: CLAIM },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  resources.defer(() => void agent.kill('SIGKILL'));
  const { deviceId, request } = await gateway.until(() => enrollment.enrolled[0], 30_000);
  await gateway.until(() => gateway.heartbeats.length > 0, 30_000);
  for (const script of ['echo recorded', 'echo wrong >&2; exit 3']) {
    const command = shellCommand(script);
    gateway.send(deviceId, 'command', command);
    await gateway.until(() => resultOf(gateway.entries(deviceId), command.invocationId), 30_000);
  }
  const exited = once(agent, 'exit');
  agent.kill('SIGTERM');
  await exited;
  const date = git('show', '-s', '--format=%cs', rev);
  const commit = git('rev-parse', '--short=8', rev);
  const messages = gateway.messages.map(({ channel, message }) => ({ channel, message }));
  const folder = join(root, 'packages', 'device-protocol', 'recordings');
  await mkdir(folder, { recursive: true });
  const recording = withoutMachine({ commit, date, enrollment: request, messages });
  await writeFile(
    join(folder, `${date}-${commit}.json`),
    `${JSON.stringify(recording, null, 2)}\n`,
  );
}

/** With the current dependencies. */
async function buildAgentOf(rev: string, directory: string): Promise<string> {
  const sources = join(directory, 'sources');
  const modules = join(sources, 'node_modules');
  const scope = join(modules, '@deviceportal');
  await mkdir(scope, { recursive: true });
  const archive = execFileSync('git', ['archive', rev, 'packages', 'apps/agent'], {
    cwd: root,
    maxBuffer: 512 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', sources], { input: archive });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@deviceportal')
      await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of await readdir(join(sources, 'packages')))
    await symlink(join(sources, 'packages', name), join(scope, name));
  const bundle = join(directory, 'agent.mjs');
  const build = join(sources, 'apps', 'agent', 'src', 'build-bundle.ts');
  execFileSync(process.execPath, [build, bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
  return bundle;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
