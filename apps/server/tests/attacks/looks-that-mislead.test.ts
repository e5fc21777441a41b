import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuiltin } from '../support/run-builtin.ts';

const DISK = 'echo Filesystem 1024-blocks Used Available Capacity Mounted; echo disk 1 1';
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-look-'));
  for (const path of ['bin', 'log', 'artefacts', 'work']) await mkdir(join(folder, path));
  await standIn('uname', 'echo Linux');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function standIn(name: string, lines: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

const collect = () =>
  runBuiltin('logs-collect', {
    folder,
    parameters: { hours: '1' },
    environment: {
      DEVICEPORTAL_ARTEFACTS: join(folder, 'artefacts'),
      DEVICEPORTAL_STATE: join(folder, 'state'),
      TMPDIR: join(folder, 'work'),
    },
    replace: { ' /var/log ': ` ${folder}/log `, 'real /var/log': `real ${folder}/log` },
  });

test('collecting logs does not fill a disk that is nearly full', async () => {
  await standIn('df', `${DISK} 60000 99% /`);
  await standIn('journalctl', 'echo line');
  const { code, stderr } = await collect();
  expect(code).toBe(28);
  expect(stderr).toContain('Nothing was collected');
  expect(await readdir(join(folder, 'artefacts'))).toEqual([]);
  expect(await readdir(join(folder, 'work'))).toEqual([]);
});

test('a large journal or many large logs use at most a third of the free space', async () => {
  await standIn('df', `${DISK} 70000 99% /`);
  await standIn('journalctl', 'head -c 60000000 /dev/zero');
  for (const name of ['a.log', 'b.log', 'c.log'])
    await writeFile(join(folder, 'log', name), Buffer.alloc(9_000_000));
  const { code, stdout } = await collect();
  expect(code).toBe(0);
  expect(stdout.match(/left out: /g)).toHaveLength(2);
  const [name = ''] = await readdir(join(folder, 'artefacts'));
  const archive = join(folder, 'artefacts', name);
  expect(execFileSync('tar', ['-xzOf', archive], { maxBuffer: 1e9 }).length).toBeLessThan(
    (70_000 * 1024) / 3,
  );
  expect((await stat(archive)).size).toBeGreaterThan(0);
});

const diagnose = () =>
  runBuiltin('network-diagnose', { folder, parameters: { host: 'localhost' } });

test.each([
  ['a default route without a gateway', 'default dev ppp0 scope link', '', 'exit 1'],
  ['a connection with IPv6 alone', '', 'default via fe80::1 dev eth0', '[ "$3" = fe80::1%eth0 ]'],
  ['ping without rights', 'default via 192.0.2.1 dev eth0', '', 'echo not permitted; exit 2'],
])('%s causes no false alarm', async (_case, routes, routes6, ping) => {
  await standIn(
    'ip',
    `case "$*" in "-6 route") echo '${routes6}' ;; route) echo '${routes}' ;; esac`,
  );
  for (const name of ['ping', 'ping6']) await standIn(name, ping);
  const { stdout } = await diagnose();
  expect(stdout).not.toMatch(/!! (there is no default route|the gateway)/);
});

test('a device without a default route, or with an unreachable gateway, is reported', async () => {
  await standIn('ip', 'exit 0');
  expect((await diagnose()).stdout).toContain('!! there is no default route');
  await standIn('ip', 'echo default via 192.0.2.1 dev eth0');
  await standIn('ping', 'exit 1');
  expect((await diagnose()).stdout).toContain('!! the gateway 192.0.2.1 does not answer');
});

async function locate(latitude: string) {
  const config = join(folder, 'config.json');
  const longitude = '"location.longitude": "13,4"';
  await writeFile(config, `{\n  "location.latitude": ${latitude},\n  ${longitude}\n}\n`);
  return runBuiltin('locate', {
    folder,
    environment: { DEVICEPORTAL_CONFIG: config, DEVICEPORTAL_REPORT: join(folder, 'report') },
    replace: { 'sleep 20': 'sleep 1' },
  });
}

test('a receiver that does not respond does not prevent locate from using the configured location', async () => {
  await standIn('gpspipe', 'exec sleep 30');
  const { code, stdout } = await locate('"52.52"');
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toContain('52.52 13.4 within');
});

test('a decimal comma does not move the device to another place', async () => {
  expect((await locate('"52,52"')).stdout).toContain('52.52 13.4 within');
  expect((await locate('52.52')).stdout).toContain('52.52 13.4 within');
  expect((await locate('"52,52,1"')).code).toBe(3);
  const report = await readFile(join(folder, 'report'), 'utf8');
  expect(report).toContain('"latitude":52.52');
});

test('network/dns reports what it displays', async () => {
  const { stdout } = await runBuiltin('network-dns', { folder, parameters: { name: 'localhost' } });
  expect(stdout).toMatch(/== configured name servers[\s\S]*== addresses of localhost, as programs/);
});
