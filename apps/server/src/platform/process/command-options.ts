import { StartError } from './start-error.ts';

/** Options of one command, besides those of the server: `value` takes the next word, `switch` stands alone. */
export type OptionKinds = Readonly<Record<string, 'value' | 'switch'>>;

export interface TakenOptions {
  /** By name, without the dashes; a switch is the empty text. */
  readonly options: ReadonlyMap<string, string>;
  /** What is left for the server's own configuration. */
  readonly rest: readonly string[];
}

/** @throws StartError when an option is given twice or lacks its value */
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
    if (options.has(name)) throw new StartError(`--${name} is given twice.`);
    const value = kind === 'switch' ? '' : (inline ?? argv[(index += 1)]);
    if (value === undefined || (kind === 'value' && value === '') || value.startsWith('--')) {
      throw new StartError(`--${name} needs a value.`);
    }
    options.set(name, value);
  }
  return { options, rest };
}
