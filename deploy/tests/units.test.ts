import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../apps/server/src/platform/config/read-config.ts';
import { deployDir, readUnit } from './unit-file.ts';

const servers = ['one', 'two', 'three'] as const;
const SERVER = 'deviceportal@.service';
/** Seconds until a server that cannot drain ends by itself. */
const OWN_STOP_LIMIT_SECONDS = 10;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
if (!hasSystemd) process.stdout.write('Skipped: the units are not analyzed without systemd.\n');

const configOf = (name: string) =>
  readConfig({ argv: [], env: readUnit(SERVER, name).environment, workingDir: '/opt' });

describe('the systemd units', () => {
  test.each(servers)('server %s starts with settings that production accepts', (name) => {
    expect(configOf(name)).toMatchObject({
      production: true,
      dataDir: `/var/lib/deviceportal/${name}`,
      database: { kind: 'url' },
      broker: { kind: 'external' },
      files: { kind: 's3' },
    });
  });

  test('every role is on two of the three servers, so that any of them can stop', () => {
    const roles = servers.flatMap((name) => [...configOf(name).roles]).toSorted();
    const pairs = ['gateway', 'identity', 'web', 'worker'].flatMap((role) => [role, role]);
    expect(roles).toEqual(pairs);
  });

  test('only the migration reads the role that owns the tables', () => {
    const owner = 'DEVICEPORTAL_DATABASE_OWNER_URL';
    expect(readUnit('deviceportal-migrate.service').environment).toHaveProperty(owner);
    for (const name of servers) {
      expect(readUnit(SERVER, name).environment).not.toHaveProperty(owner);
    }
  });

  test.each([SERVER, 'deviceportal-migrate.service'])('%s starts a program that exists', (file) => {
    const [node = '', ...words] = readUnit(file, 'one').command;
    const main = words.find((word) => !word.startsWith('--')) ?? '';
    expect([node, main].filter((path) => !existsSync(path))).toEqual([]);
  });

  test.each(servers)(
    'server %s can write its data folder and its cache, and nothing else',
    (name) => {
      const unit = readUnit(SERVER, name);
      expect(unit.one('ProtectSystem')).toBe('strict');
      expect(unit.all('ReadWritePaths')).toEqual([]);
      expect(unit.environment).toMatchObject({
        DEVICEPORTAL_DATA_DIR: `/var/lib/${unit.one('StateDirectory')}`,
        NODE_COMPILE_CACHE: `/var/cache/${unit.one('CacheDirectory')}`,
      });
    },
  );

  test('a stop waits until the server has drained, and every other end starts it again without a limit', () => {
    const unit = readUnit(SERVER, 'one');
    expect(unit.one('KillSignal')).toBe('SIGTERM');
    expect(Number(unit.one('TimeoutStopSec'))).toBeGreaterThan(OWN_STOP_LIMIT_SECONDS);
    expect(unit.one('Restart')).toBe('on-failure');
    expect(unit.one('StartLimitIntervalSec')).toBe('0');
  });
});

describe.skipIf(!hasSystemd)('systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dp-units-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const units = globSync(join(deployDir, 'systemd/*.service'));

  test.each(units.map((path) => [basename(path), path]))('finds no fault in %s', (name, path) => {
    const copy = join(folder, name.replace('@', '@one'));
    const node = process.execPath;
    writeFileSync(
      copy,
      readFileSync(path, 'utf8').replaceAll(/^ExecStart=\S+/gm, `ExecStart=${node}`),
    );
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.each(units.map((path) => [basename(path), path]))(
    'calls the exposure of %s OK',
    (_name, path) => {
      // In tenths: below 3 is "OK" (0 to 10).
      const { status, stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=30', path],
        { encoding: 'utf8' },
      );
      expect(status, stdout).toBe(0);
    },
  );
});
