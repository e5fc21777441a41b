import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkParameters } from '@deviceportal/contract/command-parameters';
import type { DeclaredPhase, DocumentPhases } from '@deviceportal/contract/document-phases';
import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import { readBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { requireValidDocument } from '../../src/documents/validate-document.ts';

let folder = '';
const documents = new Map<string, SsmDocument>();
const phasesOf = new Map<string, DocumentPhases>();
for (const { name, content, phasesText } of await readBuiltinDocuments()) {
  const { document, phases } = requireValidDocument(content, phasesText);
  documents.set(name.slice('DevicePortal-'.length), document);
  phasesOf.set(name.slice('DevicePortal-'.length), phases);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-scripts-'));
  await mkdir(join(folder, 'state', 'packages', 'player'), { recursive: true });
  await mkdir(join(folder, 'artefacts'));
  await mkdir(join(folder, 'undo'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function scriptOf(name: string, phase?: DeclaredPhase): string {
  const steps: readonly DocumentStep[] | undefined =
    phase === undefined ? documents.get(name)?.mainSteps : phasesOf.get(name)?.[phase];
  const inputs = steps?.[0]?.inputs as { runCommand?: string[] } | undefined;
  return inputs?.runCommand?.join('\n') ?? '';
}

/** Runs the script of a document like the agent: parameters as environment variables, `sh`, in its own directory. */
function run(
  name: string,
  parameters: Record<string, unknown> = {},
  phase?: DeclaredPhase,
): Promise<Ended> {
  const { values, issues } = checkParameters(documents.get(name)?.parameters ?? {}, parameters);
  expect(issues).toEqual([]);
  const environment = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`SSM_${key}`, String(value)]),
  );
  return new Promise((resolve) => {
    const child = execFile(
      '/bin/sh',
      ['-c', scriptOf(name, phase)],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          ...environment,
          DEVICEPORTAL_ARTEFACTS: join(folder, 'artefacts'),
          DEVICEPORTAL_REPORT: join(folder, 'report'),
          DEVICEPORTAL_CONFIG: join(folder, 'state', 'config.json'),
          DEVICEPORTAL_STATE: join(folder, 'state'),
          DEVICEPORTAL_UNDO: join(folder, 'undo'),
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe.each([...documents.keys()])('%s', (name) => {
  it('has scripts that the shell can parse', () => {
    const scripts = [undefined, 'preCheck', 'verify', 'undo'] as const;
    for (const phase of scripts) {
      const script = scriptOf(name, phase).replace('{{ script }}', 'true');
      for (const shell of ['bash', 'sh']) {
        expect(() => execFileSync(shell, ['-n', '-c', script])).not.toThrow();
      }
    }
  });
});

describe('read-only documents', () => {
  it.each(['logs-tail', 'network-diagnose', 'process-top', 'config-show'])(
    '%s runs with its defaults',
    async (name) => {
      const { code, stdout, stderr } = await run(name);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).not.toBe('');
    },
  );

  it('storage/usage shows file systems and directories', async () => {
    const { code, stdout } = await run('storage-usage', { path: folder, top: 3 });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Filesystem[\s\S]*largest below/);
  });

  it('process/top sorts', async () => {
    const { stdout } = await run('process-top', { count: 5, by: 'memory' });
    expect(stdout).toMatch(/PID/);
  });

  it('network/dns resolves a name and fails for an unknown one', async () => {
    expect(await run('network-dns', { name: 'localhost' })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
    });
    expect((await run('network-dns', { name: 'no-such-name.invalid' })).code).toBe(2);
  });

  it('service/status lists failed services, and reports an unknown service', async () => {
    const all = await run('service-status');
    expect([0, 127]).toContain(all.code);
    expect(all.stdout + all.stderr).toMatch(/^== .*services|no service manager/m);
    const none = await run('service-status', { service: 'no-such-service-here' });
    expect([5, 127]).toContain(none.code);
    expect(none.stderr).toMatch(/There is no service no-such-service-here|no service manager/);
  });

  it('network/ping pings the host or reports that it cannot', async () => {
    const { stdout, stderr } = await run('network-ping', { host: '127.0.0.1', count: 1 });
    expect(stdout + stderr).toMatch(/packets transmitted|ping is not installed|not permitted/);
  });

  it('logs/tail shows logs and nothing else', async () => {
    expect((await run('logs-tail', { path: '/etc/passwd' })).code).toBe(2);
    await writeFile(join(folder, 'state', 'agent.log'), 'first\nsecond\nthird $(id)\n');
    expect(
      await run('logs-tail', { path: join(folder, 'state', 'agent.log'), lines: 2 }),
    ).toMatchObject({ code: 0, stdout: 'second\nthird $(id)\n' });
    expect(
      checkParameters(documents.get('logs-tail')?.parameters ?? {}, {
        path: '/var/log/../../etc/shadow',
      }).issues,
    ).toHaveLength(1);
  });

  it('logs/collect creates one archive', async () => {
    const { code, stdout } = await run('logs-collect', { hours: 1 });
    expect(code).toBe(0);
    const [file = ''] = await readdir(join(folder, 'artefacts'));
    expect(stdout).toContain(file);
    expect(execFileSync('tar', ['-tzf', join(folder, 'artefacts', file)]).toString()).toContain(
      'logs/system.txt',
    );
  });

  it('locate reports the configured location, or that there is none', async () => {
    await rm(join(folder, 'state', 'config.json'), { force: true });
    const { stdout, stderr } = await run('locate');
    expect(stdout + stderr).toMatch(/ within |cannot determine its location/);
    await run('config-set', { key: 'location.latitude', value: '52.52' });
    await run('config-set', { key: 'location.longitude', value: '-13.4' });
    expect((await run('locate')).code).toBe(0);
    const report = JSON.parse(
      (await readFile(join(folder, 'report'), 'utf8')).trim().split('\n').at(-1) ?? '',
    ) as unknown;
    expect(report).toMatchObject({ position: { source: expect.any(String) as string } });
  });
});

describe('changing documents', () => {
  it('config/set keeps other values, quotes any text, and removes values, and config/show masks secrets', async () => {
    const path = join(folder, 'state', 'config.json');
    await rm(path, { force: true });
    const nasty = 'a "b" \\ $(touch pwned) `id` & | é';
    await run('config-set', { key: 'note', value: nasty });
    await run('config-set', { key: 'api.token', value: 'abc' });
    await run('config-set', { key: 'note.other', value: '1' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      note: nasty,
      'api.token': 'abc',
      'note.other': '1',
    });
    await run('config-set', { key: 'note.other', value: '' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ note: nasty, 'api.token': 'abc' });
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
    const { stdout } = await run('config-show');
    expect(stdout).toContain('api.token = ********');
    expect((await run('config-show', { key: 'missing' })).code).toBe(4);
  });

  it('config/set does not change a file in another format', async () => {
    const path = join(folder, 'state', 'config.json');
    await writeFile(path, '{"a":{"b":1}}');
    expect((await run('config-set', { key: 'x', value: '1' })).code).toBe(3);
    expect(await readFile(path, 'utf8')).toBe('{"a":{"b":1}}');
    await rm(path);
  });

  it('config/set is verified, and its undo restores the previous value', async () => {
    const path = join(folder, 'state', 'config.json');
    const before = join(folder, 'undo', 'before');
    const nasty = 'a "b" \\ $(touch pwned) `id` & | é';
    await writeFile(path, '{\n  "level": 7,\n  "other": "x"\n}\n');
    for (const value of [nasty, '']) {
      await rm(before, { force: true });
      const given = { key: 'level', value };
      expect(await run('config-set', given, 'preCheck')).toMatchObject({ code: 0 });
      expect((await run('config-set', given, 'verify')).code).toBe(1);
      expect(await run('config-set', given)).toMatchObject({ code: 0 });
      expect(await run('config-set', given, 'verify')).toMatchObject({ code: 0 });
      expect(await run('config-set', given, 'undo')).toMatchObject({ code: 0 });
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ level: 7, other: 'x' });
    }
    await rm(path);
  });

  it('the undo of config/set does not change a value that was set since', async () => {
    const path = join(folder, 'state', 'config.json');
    await rm(join(folder, 'undo', 'before'), { force: true });
    const given = { key: 'note', value: 'one' };
    await run('config-set', given, 'preCheck');
    await run('config-set', given);
    await run('config-set', { key: 'note', value: 'two' });
    expect((await run('config-set', given, 'undo')).code).toBe(4);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ note: 'two' });
    await rm(path);
  });

  it('software/install is verified by the current version', async () => {
    const component = join(folder, 'state', 'packages', 'player');
    await symlink('1.2.0~2', join(component, 'current'));
    const verify = (version: string) =>
      run('software-install', { component: 'player', version }, 'verify');
    expect((await verify('1.2.0')).code).toBe(0);
    expect(await verify('1.3.0')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1.2.0') as string,
    });
    await rm(join(component, 'current'));
  });

  it('process/kill ends a process of the user and rejects process 1', async () => {
    const child = spawn('sleep', ['60']);
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    expect(await run('process-kill', { pid: child.pid })).toMatchObject({ code: 0 });
    expect(await ended).toBe('SIGTERM');
    expect((await run('process-kill', { pid: child.pid }, 'verify')).code).toBe(0);
    expect((await run('process-kill', { pid: process.pid }, 'verify')).code).toBe(1);
    expect((await run('process-kill', { pid: 1 })).code).toBe(2);
    expect((await run('process-kill', { pid: 999_999_999 })).code).toBe(3);
  });

  it('config/show works after the undo of the only key', async () => {
    const path = join(folder, 'state', 'config.json');
    await rm(path, { force: true });
    await rm(join(folder, 'undo', 'before'), { force: true });
    const given = { key: 'note', value: 'one' };
    await run('config-set', given, 'preCheck');
    await run('config-set', given);
    expect(await run('config-set', given, 'undo')).toMatchObject({ code: 0 });
    expect(await run('config-show')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing is configured') as string,
    });
    await rm(path);
  });

  it('restart/service reports an unknown service or a missing service manager', async () => {
    const { code, stderr } = await run('restart-service', { service: 'no-such-service-here' });
    expect([5, 127]).toContain(code);
    expect(stderr).not.toBe('');
  });

  it('restart/agent requests a restart, which the agent performs after the result is stored', async () => {
    expect(await run('restart-agent')).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'report'), 'utf8')).toContain('{"restart":"agent"}');
  });

  it('agent/update installs what the portal offers, and fails if that is not started', async () => {
    const state = join(folder, 'state');
    const installed = join(state, 'program', 'agent', 'current');
    expect(await run('agent-update')).toMatchObject({ code: 3 });
    await mkdir(installed, { recursive: true });
    const installs = async (result: string, exitCode = 0): Promise<Ended> => {
      const program = `console.log(process.argv.slice(2).join(' ') + '\\n${result}'); process.exit(${exitCode})`;
      await writeFile(join(installed, 'agent.mjs'), program);
      return run('agent-update');
    };
    const { code, stdout } = await installs('agent 9.0.0 installed, and started');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `upgrade --state-dir ${state}\nagent 9.0.0 installed, and started\n`,
    });
    expect((await installs('agent 9.0.0 installed, but it is not a service.')).code).toBe(4);
    expect((await installs('the update was rejected: it is not signed', 1)).code).toBe(1);
    await rm(join(state, 'program'), { recursive: true });
  });

  it('restart/device succeeds after a restart, and fails without one', async () => {
    await writeFile(join(folder, 'boot-before'), 'another-boot\n');
    expect(await run('restart-device')).toMatchObject({ code: 0 });
    const boot = execFileSync('/bin/sh', [
      '-c',
      "cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.boottime | tr -cd '0-9'",
    ]);
    await writeFile(join(folder, 'boot-before'), boot);
    expect((await run('restart-device')).code).toBe(1);
    await rm(join(folder, 'boot-before'));
  });

  it('factory-reset deletes the data of the agent and nothing else', async () => {
    await writeFile(join(folder, 'state', 'config.json'), '{}');
    await writeFile(join(folder, 'state', 'identity.json'), '{}');
    expect(await run('factory-reset')).toMatchObject({ code: 0 });
    expect(await readdir(join(folder, 'state'))).toContain('identity.json');
    expect(existsSync(join(folder, 'state', 'config.json'))).toBe(false);
    expect(existsSync(join(folder, 'state', 'packages'))).toBe(false);
  });
});
