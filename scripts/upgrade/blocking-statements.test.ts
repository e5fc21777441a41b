import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBlockingStatements } from './find-blocking-statements.ts';
import { releaseBefore } from './release-before.ts';

const root = resolve(import.meta.dirname, '../..');
const { server, identity } = releaseBefore.migrations;

function migrationsSince(folder: string, last: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.sql'));
  expect(names.map((name) => name.replace(/\.sql$/, ''))).toContain(last.replace(/\.sql$/, ''));
  return names
    .toSorted()
    .filter((name) => name.replace(/\.sql$/, '') > last.replace(/\.sql$/, ''))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

describe('migrations since the release before', () => {
  it.each([
    ['apps/server/migrations', server],
    ['packages/identity/migrations', identity],
  ])('%s lock no table that servers use, or say why they may', (folder, last) => {
    expect(findBlockingStatements(migrationsSince(folder, last))).toEqual([]);
  });
});

const find = (...migrations: string[]): string[] =>
  findBlockingStatements(migrations).map(({ because }) => because);

describe('a statement that blocks', () => {
  it.each([
    [
      'CREATE INDEX "device_by_model" ON "device" USING btree ("model");',
      'an index blocks writes until it is built',
    ],
    [
      'CREATE UNIQUE INDEX "u" ON "device" ("serial_number");',
      'an index blocks writes until it is built',
    ],
    [
      'ALTER TABLE "device" ALTER COLUMN "model" SET DATA TYPE varchar(10);',
      'a change of type rewrites the table',
    ],
    ['ALTER TABLE device ALTER model TYPE varchar;', 'a change of type rewrites the table'],
    [
      'ALTER TABLE "device" ALTER COLUMN "model" SET NOT NULL;',
      'the whole table is read under a lock',
    ],
    [
      'ALTER TABLE "device" ADD CONSTRAINT "c" CHECK (1 = 1);',
      'the whole table is read under a lock, unless the constraint is NOT VALID',
    ],
    [
      'ALTER TABLE "device" ADD COLUMN "code" uuid DEFAULT gen_random_uuid();',
      'a value of its own for each row rewrites the table',
    ],
    [
      'ALTER TABLE "device" ADD COLUMN "n" text GENERATED ALWAYS AS (a) STORED;',
      'a value of its own for each row rewrites the table',
    ],
    ['lock table identity.account;', 'the table is locked until the migration ends'],
    [
      '-- for all\nUPDATE "device" SET "model" = \'\';',
      'changed rows are locked until the migration ends',
    ],
    ['DELETE FROM device;', 'changed rows are locked until the migration ends'],
  ])('%s', (statement, because) => {
    const others = 'CREATE TABLE "other" ("id" uuid);--> statement-breakpoint';
    expect(find(`${others}\n${statement}`)).toEqual([because]);
    expect(find(`-- blocks writes: the table has one row\n${statement}`)).toEqual([]);
  });

  it.each([
    'CREATE TABLE "novel" ("id" uuid); CREATE INDEX "i" ON "novel" ("id"); UPDATE novel SET id = null;',
    'ALTER TABLE "device" ADD COLUMN "colour" text DEFAULT \'\' NOT NULL;',
    'ALTER TABLE "device" ADD CONSTRAINT "c" CHECK (1 = 1) NOT VALID;',
    'ALTER TABLE "device" ALTER COLUMN "model" DROP NOT NULL;',
    'DROP INDEX "erasure_due";',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE device SET model = null; $$;',
  ])('is not: %s', (statement) => {
    expect(find(statement)).toEqual([]);
  });

  it('can be on a table that an earlier migration of this release creates', () => {
    expect(find('CREATE TABLE "public"."novel" ();', 'CREATE INDEX ON novel (id);')).toEqual([]);
  });
});
