import type { SecretName } from '@deviceportal/contract/installation';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';
import type { SecretFingerprints } from '../secret-fingerprints.ts';

/** Fingerprints of the secrets of this installation. A server with other secrets does not start. */
export const installationSecret = pgTable('installation_secret', {
  name: text().$type<SecretName>().primaryKey(),
  /** SHA-256 of public data derived from it, hexadecimal. */
  fingerprint: text().notNull(),
  /** Time since which it is the current one. */
  since: moment('since').notNull(),
});

/** Servers that use this database, with the secrets of each. */
export const installationServer = pgTable('installation_server', {
  id: uuid().primaryKey(),
  /** Host name and process id. */
  name: text().notNull(),
  startedAt: moment('started_at').notNull(),
  seenAt: moment('seen_at').notNull(),
  secrets: jsonb().$type<readonly SecretFingerprints[]>().notNull(),
});
