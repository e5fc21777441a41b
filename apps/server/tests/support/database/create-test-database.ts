import { inject } from 'vitest';
import { EMBEDDED_RUNTIME_ROLE } from '../../../src/platform/database/runtime-role.ts';
import { copyDatabase, type TestDatabase } from './copy-database.ts';
import type {} from './start-test-database.ts';

export type { TestDatabase } from './copy-database.ts';

export interface TestDatabaseOptions {
  /** True creates an empty database without tables. */
  readonly empty?: boolean;
  /** The name of a closed database to copy instead of the template. */
  readonly template?: string;
}

/** A fresh copy of the migrated template; disposing drops it. Create one for each test file, in `beforeAll`. */
export function createTestDatabase({
  empty = false,
  template,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return copyDatabase({
    serverUrl: inject('databaseUrl'),
    template: template ?? (empty ? 'template1' : inject('databaseTemplate')),
    // A database without tables has no grants: migrations are tested as the owner.
    role: empty ? undefined : EMBEDDED_RUNTIME_ROLE,
  });
}
