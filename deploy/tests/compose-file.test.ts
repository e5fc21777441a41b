import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../apps/server/src/platform/config/read-config.ts';
import { deployDir, PLACEHOLDER } from './unit-file.ts';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

const folder = join(deployDir, 'compose');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const values = parseEnv(read('env.example').replaceAll(PLACEHOLDER, 'a-password-of-the-operator'));
const compose = parse(interpolate(read('compose.yaml')), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const servers = services.filter(([name]) => ['one', 'two', 'three'].includes(name));
/** `ENV` of the image. */
const ofImage = parseEnv((/^ENV (.+)$/m.exec(read('Dockerfile'))?.[1] ?? '').replaceAll(' ', '\n'));
const configOf = ({ environment = {} }: Service) =>
  readConfig({ argv: [], env: { ...ofImage, ...environment }, workingDir: '/opt' });

/** As Docker Compose does, for `${NAME}`, `${NAME:?}`, and `${NAME:-default}`. */
function interpolate(text: string): string {
  return text.replaceAll(/\$\{(\w+)(:\?|:-([^}]*))?\}/g, (_, name: string, form, fallback) => {
    const value = values[name] ?? fallback;
    if (value === undefined) throw new Error(`env.example does not name ${name} (${form})`);
    return String(value);
  });
}

describe('the compose file', () => {
  test.each(servers)('server %s has settings that production accepts', (_name, service) => {
    expect(configOf(service)).toMatchObject({
      production: true,
      host: '0.0.0.0',
      port: 8080,
      dataDir: '/var/lib/deviceportal',
      database: { kind: 'url' },
      broker: { kind: 'external' },
      files: { kind: 's3' },
    });
  });

  test('every role is on two of the three servers', () => {
    const roles = servers.flatMap(([, service]) => [...configOf(service).roles]).toSorted();
    expect(roles).toEqual(['gateway', 'identity', 'web', 'worker'].flatMap((role) => [role, role]));
  });

  test('only the migration knows the role that owns the tables', () => {
    const owners = services
      .filter(([, { environment = {} }]) => 'DEVICEPORTAL_DATABASE_OWNER_URL' in environment)
      .map(([name]) => name);
    expect(owners).toEqual(['migrate']);
  });

  test('files, volumes, and services that it names exist, and images have a version', () => {
    const isVolume = (source: string): boolean => Object.hasOwn(compose.volumes, source);
    const missing = services.flatMap(([name, { image, depends_on = {}, volumes = [] }]) => [
      ...(/:[\w.-]*\d/.test(image) ? [] : [`${name}: ${image}`]),
      ...Object.keys(depends_on).filter((other) => !Object.hasOwn(compose.services, other)),
      ...volumes
        .map((line) => line.split(':')[0] ?? '')
        // The operator's own certificate.
        .filter((source) => source !== './portal.pem')
        .filter((source) => !isVolume(source) && !existsSync(join(folder, source))),
    ]);
    expect(missing).toEqual([]);
  });

  test('every setting of the example is used', () => {
    const unused = Object.keys(values).filter((name) => !read('compose.yaml').includes(`{${name}`));
    expect(unused).toEqual([]);
  });
});

test('the image starts the same program as the systemd unit', () => {
  const unit = readFileSync(join(deployDir, 'systemd/deviceportal@.service'), 'utf8');
  const [, option, main] = /^ExecStart=\S+ (\S+) (\S+)$/m.exec(unit) ?? [];
  expect(read('Dockerfile')).toContain(`CMD ["node", "${option}", "${main}"]`);
});
