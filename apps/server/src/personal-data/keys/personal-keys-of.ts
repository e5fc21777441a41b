import type pg from 'pg';
import {
  openBeside,
  poolOf,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import type { KeySource } from '../../platform/secrets/derived-keys.ts';
import { PersonalKeys } from './personal-keys.ts';

const opened = new WeakMap<pg.Pool, PersonalKeys>();

/**
 * Opens people's keys of a database: from then on what is written into its audit trail is sealed with them.
 * @param source seals the keys; kept by the installation outside the database
 */
export function openPersonalKeys(database: Pick<Database, 'pool'>, source: KeySource): void {
  opened.set(database.pool, new PersonalKeys(source, openBeside(database)));
}

/** @throws Error where they were not opened: nothing of a person is written in clear instead */
export function personalKeysOf(on: Executor): PersonalKeys {
  const keys = opened.get(poolOf(on));
  if (keys === undefined) throw new Error('keys of people in this database are not open');
  return keys;
}
