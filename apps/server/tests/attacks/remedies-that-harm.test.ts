import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuiltin, type BuiltinRun } from '../support/run-builtin.ts';

const CONFIGURATION = '{\n  "level": 7,\n  "other": "x"\n}\n';
/** A limit on the size of files makes every write fail, like a full disk. */
const FULL_DISK = "trap '' XFSZ; ulimit -f 0";
const linux = process.platform === 'linux';
let folder = '';
let config = '';
const programs: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-remedy-'));
  config = join(folder, 'config.json');
  for (const path of ['bin', 'undo', 'proc']) await mkdir(join(folder, path));
  await writeFile(config, CONFIGURATION);
});
afterEach(async () => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function standIn(name: string, lines: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

const change = (phase?: 'preCheck' | 'undo', before?: string) =>
  runBuiltin('config-set', {
    folder,
    parameters: { key: 'level', value: '8' },
    environment: { DEVICEPORTAL_CONFIG: config, DEVICEPORTAL_UNDO: join(folder, 'undo') },
    ...(phase ? { phase } : {}),
    ...(before ? { before } : {}),
  });

test('a full disk does not replace the configuration by an empty file', async () => {
  // Some awk implementations do not report that a write has failed.
  await standIn('awk', '/usr/bin/awk "$@" 2>/dev/null\nexit 0');
  expect((await change(undefined, FULL_DISK)).code).toBe(1);
  expect(await readFile(config, 'utf8')).toBe(CONFIGURATION);
  expect((await change('preCheck')).code).toBe(0);
  expect((await change()).code).toBe(0);
  const changed = await readFile(config, 'utf8');
  expect((await change('undo', FULL_DISK)).code).toBe(1);
  expect(await readFile(config, 'utf8')).toBe(changed);
  expect((await change('undo')).code).toBe(0);
  expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({ level: 7, other: 'x' });
});

test('a full disk does not make the undo remove an existing value', async () => {
  await standIn('awk', '/usr/bin/awk "$@" 2>/dev/null\nexit 0');
  expect((await change('preCheck', FULL_DISK)).code).toBe(1);
  expect(existsSync(join(folder, 'undo', 'before'))).toBe(false);
});

const end = (pid: number | undefined, options: Pick<BuiltinRun, 'environment' | 'replace'> = {}) =>
  runBuiltin('process-kill', {
    folder,
    parameters: { pid: String(pid), force: 'false' },
    ...options,
  });

test.runIf(linux)('another process with the same PID is not killed', async () => {
  const program = spawn('/bin/sh', ['-c', "trap '' TERM; echo; while :; do sleep 0.1; done"]);
  programs.push(program);
  await new Promise((resolve) => program.stdout.once('data', resolve));
  const place = join(folder, 'proc', String(program.pid));
  await mkdir(place);
  const text = (begun: number) => `${program.pid} (a) b) S 1 ${'0 '.repeat(17)}${begun} 0 0\n`;
  await writeFile(join(place, 'stat'), text(111));
  await writeFile(join(folder, 'later'), text(222));
  const ended = await end(program.pid, {
    replace: {
      '/proc/': `${folder}/proc/`,
      'sleep 0.5': `sleep 0.05; [ "$waited" -lt 19 ] || cp ${folder}/later ${place}/stat`,
    },
  });
  expect(ended.stdout).toContain('ended');
  expect(program.signalCode).toBeNull();
  expect(() => process.kill(program.pid ?? 0, 0)).not.toThrow();
});

test('the agent and its parent are not ended', async () => {
  // Test processes replace the agent and its parent: a faulty script ends only those.
  const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait']);
  programs.push(parent);
  const agent = await new Promise<string>((resolve) => {
    parent.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
  const environment = { DEVICEPORTAL_AGENT_PID: agent };
  try {
    for (const pid of [1, Number(agent), parent.pid]) {
      expect(await end(pid, { environment })).toMatchObject({ code: 2 });
    }
  } finally {
    process.kill(Number(agent), 'SIGKILL');
  }
});

test('restarting a service stops neither the device nor the agent', async () => {
  const calls = join(folder, 'calls');
  await standIn('uname', 'echo Linux');
  await standIn('id', 'echo 0');
  await standIn(
    'systemctl',
    `echo "$1" >> ${calls}
case "$1 $*" in show*other-name*) echo Id=deviceportal-agent.service ;; show*) echo Id=x.service ;; esac`,
  );
  const restart = (service: string) =>
    runBuiltin('restart-service', {
      folder,
      parameters: { service },
      replace: { '[ -d /run/systemd/system ]': 'true' },
    });
  for (const service of ['reboot.target', 'rescue.target', 'poweroff', 'halt', 'systemd-reboot'])
    expect(await restart(service)).toMatchObject({ code: 2 });
  for (const service of ['deviceportal-agent', 'deviceportal-agent.service', 'other-name']) {
    const { code, stderr } = await restart(service);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('use restart/agent');
  }
  expect(existsSync(calls) ? await readFile(calls, 'utf8') : '').not.toContain('restart');
  expect(await restart('ssh')).toMatchObject({ code: 0 });
  expect(await readFile(calls, 'utf8')).toContain('restart');
});
