import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { API, type Project } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../../apps/server/tests/support/database/create-test-database.ts';
import { findMismatches } from './find-mismatches.ts';
import { findUndeclaredNulls } from './find-undeclared-nulls.ts';
import { readStatements } from './read-statements.ts';
import { recordedStatements, recordTexts } from './recorded-statements.ts';
import type { Statement } from './statement.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const MISTAKES = fileURLToPath(new URL('statements-with-mistakes.ts', import.meta.url));
const CONFIG = fileURLToPath(new URL('tsconfig.json', import.meta.url));

/** Statements that neither the source nor a recording tells, with the reason. May only shrink. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'migrate-identity.ts applyMissing': 'it runs the migrations, which make the schema',
};

/** Nullable columns that the statement never selects as null, with the reason. May only shrink. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  'access-keys/access-key-store.ts findClientCredentialsKey appId': 'the use needs it',
  'access-keys/access-key-store.ts findClientCredentialsKey secretHash': 'the use needs it',
  'access-keys/access-key-store.ts findSignedCallsKey secretBox': 'the use needs it',
  'access-keys/access-key-store.ts listClientCredentialsKeys appId': 'the join leaves null out',
  'access-keys/access-key-store.ts listSignedCallsKeys secretBox': 'the use needs it',
  'accounts/account-guess-store.ts deleteLock lockedAt': 'the condition leaves null out',
  'accounts/account-guess-store.ts findLocks lockedAt': 'the condition leaves null out',
  'keys/key-pair-store.ts readKeyPairs box': 'the condition leaves null out',
  'keys/key-pair-store.ts readKeyPairs keyId': 'is set with the box',
  'keys/reseal-keys.ts resealKeys box': 'the condition leaves null out',
  'keys/reseal-keys.ts resealKeys keyId': 'the condition leaves null out',
  'keys/service-key-store.ts readServiceKeys box': 'the condition leaves null out',
  'keys/service-key-store.ts readServiceKeys keyId': 'is set with the box',
  'keys/service-key-store.ts sealClearKeys secret': 'the condition leaves null out',
};

let api: API;
let project: Project;
let database: TestDatabase;
let statements: readonly Statement[];

beforeAll(async () => {
  api = new API();
  const opened = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG);
  if (opened === undefined) throw new Error(`${CONFIG} is not a project.`);
  project = opened;
  statements = readStatements(project, SOURCE);
  database = await createTestDatabase();
});

afterAll(async () => {
  api.close();
  await database[Symbol.asyncDispose]();
});

type Find = typeof findMismatches;

async function find(
  what: Find,
  list: readonly Statement[],
  { url }: Pick<TestDatabase, 'url'>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await what(project, client, await Promise.all(list.map(withRecordedTexts)));
  } finally {
    await client.end();
  }
}

async function withRecordedTexts(statement: Statement): Promise<Statement> {
  const run = recordedStatements[statement.owner];
  return { ...statement, texts: statement.texts ?? (run && (await recordTexts(run))) };
}

it('knows the text of every statement', () => {
  const unknown = statements.filter(({ texts }) => texts === undefined).map(({ owner }) => owner);
  const listed = [...Object.keys(recordedStatements), ...Object.keys(UNKNOWN)];
  expect(unknown.toSorted()).toEqual(listed.toSorted());
});

it('has no statement that differs from the migrated schema', async () => {
  expect(await find(findMismatches, statements, database)).toEqual([]);
});

it('declares what can be null', async () => {
  const found = await find(findUndeclaredNulls, statements, database);
  expect(found.toSorted()).toEqual(Object.keys(NEVER_NULL).toSorted());
});

it('finds each kind of mistake', async () => {
  const found = await find(findMismatches, readStatements(project, MISTAKES), database);
  expect(found.map((mismatch) => mismatch.replace(/^\S+ /, ''))).toEqual([
    'is refused: relation "identity.provider_roles" does not exist',
    'is refused: column r.title does not exist',
    'is refused: column "label" does not exist',
    'does not select people',
    'does not declare code',
    'declares people: number, selects int8',
    'declares createdAt: string, selects timestamptz',
    'declares codes: number[], selects text[]',
    'has 2 parameters and 1 values',
    'gives true for $1, timestamptz',
    'gives string for $1, text[]',
    'reads rows without a type',
  ]);
});

it('finds every statement with a renamed column', async () => {
  await using renamed = await createTestDatabase();
  await renamed.owner.pool.query(
    'alter table identity.provider_totp rename column last_step to newest_step',
  );
  const found = await find(findMismatches, statements, renamed);
  const files = found
    .filter((mismatch) => mismatch.includes('column "last_step"'))
    .map((mismatch) => mismatch.split(':')[0]);
  expect(files).toEqual(Array.from({ length: 4 }, () => 'mfa/totp-store.ts'));
});
