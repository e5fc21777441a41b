import {
  listIdentityMigrations,
  migrateIdentity,
  readIdentityVersion,
} from '@deviceportal/identity/migrate-identity';
import type { MigrationStep } from '../platform/database/migrate-database.ts';

/** The identity service stores its tables in a separate schema of the same database. */
export const identityMigrations: readonly MigrationStep[] = [
  {
    name: 'identity',
    versionOfUnnamed: '0020-provider-upload-limits.sql',
    migrate: migrateIdentity,
    readVersion: readIdentityVersion,
    readAll: listIdentityMigrations,
  },
];
