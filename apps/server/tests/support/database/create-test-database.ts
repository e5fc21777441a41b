import { inject } from 'vitest';
import { EMBEDDED_RUNTIME_ROLE } from '../../../src/platform/database/runtime-role.ts';
import { copyDatabase, type TestDatabase } from './copy-database.ts';
import type {} from './start-test-database.ts';

export type { TestDatabase } from './copy-database.ts';

export interface TestDatabaseOptions {
  /** True gives an empty database without any table. */
  readonly empty?: boolean;
  /** The name of a database to copy instead of the template: one that is closed. */
  readonly template?: string;
}

/** A fresh copy of the migrated template; disposing drops it. Make one for each test file, in `beforeAll`. */
export function createTestDatabase({
  empty = false,
  template,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return copyDatabase({
    serverUrl: inject('databaseUrl'),
    template: template ?? (empty ? 'template1' : inject('databaseTemplate')),
    // Nothing is granted in a database without tables: a migration is tested with its owner.
    role: empty ? undefined : EMBEDDED_RUNTIME_ROLE,
  });
}
