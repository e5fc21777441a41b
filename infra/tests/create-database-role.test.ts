import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import type {} from '../../apps/server/tests/support/database/start-test-database.ts';

const program = join(import.meta.dirname, '../images/create-database-role.mjs');
const url = new URL(inject('databaseUrl'));
const role = `servers_${randomUUID().replaceAll('-', '')}`;

function run(password: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: {
      PGHOST: url.searchParams.get('host') ?? url.hostname,
      PGPORT: url.port,
      PGDATABASE: url.pathname.slice(1),
      PGUSER: decodeURIComponent(url.username),
      PGPASSWORD: decodeURIComponent(url.password),
      SERVER_ROLE: role,
      SERVER_PASSWORD: password,
    },
  });
  return stdout + stderr;
}

async function query(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

afterAll(() => query(`drop role if exists ${role}`));

test('creates the role of the servers without privileges, and sets its password again', async () => {
  const passwords = [];
  for (const password of ["first'\\", 'second']) {
    expect(run(password)).toBe(`The role ${role} can sign in.\n`);
    const { rows } = await query(
      `select rolpassword, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole from pg_authid where rolname = '${role}'`,
    );
    const [{ rolpassword, ...attributes }] = rows;
    passwords.push(rolpassword);
    expect(attributes).toEqual({
      rolcanlogin: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
    });
  }
  expect(new Set(passwords).size).toBe(2);
});
