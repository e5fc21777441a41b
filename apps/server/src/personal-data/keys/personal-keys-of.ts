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
 * Provides the data keys of people for a database. Names in its audit trail are sealed with them.
 * @param source encrypts the keys; stored by the installation outside the database
 */
export function openPersonalKeys(database: Pick<Database, 'pool'>, source: KeySource): void {
  opened.set(database.pool, new PersonalKeys(source, openBeside(database)));
}

/** @throws Error if they were not opened, so that personal data is never written in plain text */
export function personalKeysOf(on: Executor): PersonalKeys {
  const keys = opened.get(poolOf(on));
  if (keys === undefined) throw new Error('keys of people in this database are not open');
  return keys;
}
