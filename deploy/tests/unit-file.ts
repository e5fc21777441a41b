import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export const deployDir = join(import.meta.dirname, '..');
/** In all shipped settings; too short for a token, so that servers reject it. */
export const PLACEHOLDER = 'change-this';
const root = join(deployDir, '..');

/** What systemd starts for a unit file of `deploy/systemd`. */
export interface Unit {
  /** Values of a key, in order. An empty value in the file is the text ''. */
  readonly all: (key: string) => readonly string[];
  /** The last value of a key. */
  readonly one: (key: string) => string | undefined;
  /** Program and arguments, with the repository in place of `/opt/deviceportal`. */
  readonly command: readonly string[];
  /** Environment with the shipped files of `deploy/settings` in place of `/etc/deviceportal`. */
  readonly environment: Readonly<Record<string, string>>;
}

const LINE = /^(?<key>[A-Z][A-Za-z]*)=(?<value>.*)$/;

/**
 * @param instance the text between `@` and `.service` of a unit that systemd starts
 * @throws Error on a line that is neither a comment, a section, nor a key with a value
 */
export function readUnit(file: string, instance = ''): Unit {
  const values = new Map<string, string[]>();
  for (const line of readFileSync(join(deployDir, 'systemd', file), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#') || /^\[(Unit|Service|Install)\]$/.test(line)) continue;
    const found = LINE.exec(line)?.groups;
    if (found?.['key'] === undefined) throw new Error(`${file}: ${line}`);
    const value = withSpecifiers(found['value'] ?? '', instance);
    values.set(found['key'], [...(values.get(found['key']) ?? []), value]);
  }
  const all = (key: string): readonly string[] => values.get(key) ?? [];
  const [command = ''] = all('ExecStart');
  return {
    all,
    one: (key) => all(key).at(-1),
    command: command.split(' ').map((word) => word.replace(/^\/opt\/deviceportal/, root)),
    environment: Object.assign(
      {},
      ...all('Environment').map((line) => parseEnv(line)),
      ...all('EnvironmentFile').map((path) => readSettings(path)),
    ) as Record<string, string>,
  };
}

/** A file of `deploy/settings`, with a password that an operator has set. */
function readSettings(path: string): NodeJS.Dict<string> {
  const file = path.replace(/^\/etc\/deviceportal\//, '');
  const text = readFileSync(join(deployDir, 'settings', file), 'utf8');
  return parseEnv(text.replaceAll(PLACEHOLDER, 'a-password-of-the-operator'));
}

const FOLDERS: Readonly<Record<string, string>> = { S: '/var/lib', C: '/var/cache' };

function withSpecifiers(value: string, instance: string): string {
  return value.replaceAll(/%([a-zA-Z%])/g, (whole, name: string) => {
    if (name === 'i') return instance;
    if (name === '%') return '%';
    const folder = FOLDERS[name];
    if (folder === undefined) throw new Error(`unknown specifier ${whole}`);
    return folder;
  });
}
