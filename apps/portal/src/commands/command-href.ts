import type { CommandSearch } from './catalog/command-search.ts';

/** What a link to a command's screen may carry besides the command. */
export interface CommandLink {
  readonly device?: string | undefined;
  /** `name` or `name:version`. */
  readonly document?: string | undefined;
  /** A stored list of serial numbers. */
  readonly targets?: string | undefined;
  /** A property filter of the device list. */
  readonly filter?: string | undefined;
  /** `or` where the filter's tokens are alternatives. */
  readonly op?: string | undefined;
  /** `1`: every device that the filter matches, also without any filter. */
  readonly all?: string | undefined;
  /** JSON by parameter name. */
  readonly values?: string | undefined;
  readonly run?: string | undefined;
  readonly invocation?: string | undefined;
  /** The run to take back. */
  readonly undo?: string | undefined;
}

/** `/commands/logs/tail?device=…`: empty values are left out. */
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
