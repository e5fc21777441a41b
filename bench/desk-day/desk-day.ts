import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeskRole } from './desk-users.ts';

export const recordingPath = join(import.meta.dirname, 'desk-day.json');

/**
 * A call of a user. Strings of the input that begin with `$` are placeholders: `$device1.serialNumber` is a device of the
 * user, `$serialNumbers.25` is a list of them, `$run` is what an earlier step keeps, `$now-3600` a time in seconds, and `$new` a new ID.
 */
export interface DeskStep {
  /** Seconds since the step before. */
  readonly after: number;
  /** In the same HTTP request as the step before. */
  readonly together?: true;
  readonly query?: string;
  readonly mutation?: string;
  /** The case that the user works on. */
  readonly case?: string;
  readonly input?: unknown;
  /** Names of values of the answer that later steps use, with their paths. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** What each user does on a day. */
export type DeskDay = Readonly<Record<DeskRole, readonly DeskStep[]>>;

export const readDeskDay = async (): Promise<DeskDay> =>
  JSON.parse(await readFile(recordingPath, 'utf8')) as DeskDay;

/** One step a line. */
export function printDeskDay(day: DeskDay): string {
  const roles = Object.entries(day).map(
    ([role, steps]) =>
      `${JSON.stringify(role)}: [\n${steps.map((step) => JSON.stringify(step)).join(',\n')}\n]`,
  );
  return `{\n${roles.join(',\n')}\n}\n`;
}

/** A device of a recording or of a user, with its owner. */
export interface DeskDevice {
  readonly id: string;
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ownerPhone: string;
}

/** All strings of a value that `change` replaces; others are unchanged. */
export function replaceStrings(
  value: unknown,
  change: (text: string, key: string) => unknown,
  key = '',
): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((each) => replaceStrings(each, change, key));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaceStrings(each, change, name)]),
  );
}
