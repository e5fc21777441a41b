import { StartError } from './start-error.ts';

/**
 * Options of a command in addition to the server's: `value` takes the next argument, `switch` takes
 * none.
 */
export type OptionKinds = Readonly<Record<string, 'value' | 'switch'>>;

export interface TakenOptions {
  /** By name without dashes; a switch is an empty text. */
  readonly options: ReadonlyMap<string, string>;
  /** The remaining arguments, for the server's configuration. */
  readonly rest: readonly string[];
}

/** @throws StartError if an option is repeated or its value is missing */
export function takeOptions(argv: readonly string[], kinds: OptionKinds): TakenOptions {
  const options = new Map<string, string>();
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const [, name = '', , inline] = /^--([a-z][a-z-]*)(=(.*))?$/s.exec(argument) ?? [];
    const kind = kinds[name];
    if (kind === undefined) {
      rest.push(argument);
      continue;
    }
    if (options.has(name)) throw new StartError(`--${name} is set twice.`);
    const value = kind === 'switch' ? '' : (inline ?? argv[(index += 1)]);
    if (value === undefined || (kind === 'value' && value === '') || value.startsWith('--')) {
      throw new StartError(`--${name} needs a value.`);
    }
    options.set(name, value);
  }
  return { options, rest };
}
