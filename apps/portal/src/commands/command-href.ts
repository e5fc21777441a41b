import type { CommandSearch } from './catalog/command-search.ts';

/** Search parameters of a link to the screen of a command. */
export interface CommandLink {
  readonly device?: string | undefined;
  /** `name` or `name:version`. */
  readonly document?: string | undefined;
  /** A stored list of serial numbers. */
  readonly targets?: string | undefined;
  /** A property filter of the device list. */
  readonly filter?: string | undefined;
  /** `or` if the tokens of the filter are alternatives. */
  readonly op?: string | undefined;
  /** `1` for all devices that the filter matches, also without a filter. */
  readonly all?: string | undefined;
  /** JSON by parameter name. */
  readonly values?: string | undefined;
  readonly run?: string | undefined;
  readonly invocation?: string | undefined;
  /** The run to undo. */
  readonly undo?: string | undefined;
}

/** `/commands/logs/tail?device=…`. Empty values are omitted. */
export function commandHref(command: string, link: CommandLink = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(link)) {
    if (typeof value === 'string' && value !== '') search.set(name, value);
  }
  const query = search.toString();
  return `/commands/${command}${query === '' ? '' : `?${query}`}`;
}

/** The same devices for another command. */
export function targetLink({ device, targets, filter, op, all }: CommandSearch): CommandLink {
  return { device, targets, filter, ...(op === 'or' ? { op } : {}), ...(all ? { all: '1' } : {}) };
}
