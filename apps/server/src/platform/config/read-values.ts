import { StartError } from '../process/start-error.ts';
import { InvalidValue, type Setting } from './setting.ts';
import { settings, type SettingValues } from './settings.ts';

export type SettingName = keyof SettingValues;

export interface ReadValues {
  readonly values: SettingValues;
  /** Settings that are set explicitly. */
  readonly given: ReadonlySet<SettingName>;
}

/** Prefixes of the variables of other programs in this repository. */
const OTHER_PROGRAMS = ['DEVICEPORTAL_TEST_', 'DEVICEPORTAL_AGENT_', 'DEVICEPORTAL_BENCH_'];
const entries = Object.entries(settings) as [SettingName, Setting<unknown>][];

/** @throws StartError for an unknown option or an invalid value */
export function readValues(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReadValues {
  refuseUnknownVariables(env);
  const flags = readFlags(argv);
  const given = new Set<SettingName>();
  const values = entries.map(([name, setting]) => {
    const text = flags.get(name) ?? env[setting.env];
    if (text === undefined || (text === '' && !flags.has(name))) return [name, setting.default];
    given.add(name);
    return [name, parseValue(setting, text)];
  });
  return { values: Object.fromEntries(values) as SettingValues, given };
}

function parseValue(setting: Setting<unknown>, text: string): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    const shown = setting.secret === undefined ? ` (it is "${text.slice(0, 80)}")` : '';
    throw new StartError(`${nameOf(setting)} ${error.message}${shown}.`, { cause: error });
  }
}

/** `--port (DEVICEPORTAL_PORT)`: both ways to set it. */
export function nameOf(setting: Setting<unknown>): string {
  const flag = setting.flag ?? setting.bareFlag?.name;
  return flag === undefined ? setting.env : `--${flag} (${setting.env})`;
}

function readFlags(argv: readonly string[]): Map<SettingName, string> {
  const found = new Map<SettingName, string>();
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const [, word = '', , inline] = /^--([a-z][a-z-]*)(=(.*))?$/s.exec(argument) ?? [];
    const bare = entries.find(([, setting]) => setting.bareFlag?.name === word);
    const valued = entries.find(([, setting]) => setting.flag === word);
    if (word !== '' && bare !== undefined && inline === undefined) {
      setOnce(found, bare, bare[1].bareFlag?.value ?? '');
    } else if (word !== '' && valued !== undefined) {
      const value = inline ?? argv[(index += 1)];
      if (value === undefined || (inline === undefined && value.startsWith('--'))) {
        throw new StartError(`--${word} (${valued[1].env}) needs a value.`);
      }
      setOnce(found, valued, value);
    } else {
      throw new StartError(`Unknown option ${argument}. ${knownFlags()}`);
    }
  }
  return found;
}

function setOnce(
  found: Map<SettingName, string>,
  [name, setting]: [SettingName, Setting<unknown>],
  value: string,
): void {
  const before = found.get(name);
  if (before !== undefined && before !== value) {
    throw new StartError(`${nameOf(setting)} is set twice, with different values.`);
  }
  found.set(name, value);
}

function knownFlags(): string {
  const names = entries.flatMap(([, setting]) => setting.flag ?? setting.bareFlag?.name ?? []);
  return `Known: ${names.map((name) => `--${name}`).join(' ')}; see docs/reference/configuration.md for all settings.`;
}

/** Rejects misspelled variables, which would otherwise be silently ignored. */
function refuseUnknownVariables(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set(entries.map(([, setting]) => setting.env));
  for (const name of Object.keys(env)) {
    const isForUs =
      name.startsWith('DEVICEPORTAL_') && !OTHER_PROGRAMS.some((start) => name.startsWith(start));
    if (isForUs && !known.has(name)) {
      throw new StartError(
        `Unknown setting ${name} in the environment. See docs/reference/configuration.md for all settings.`,
      );
    }
  }
}
