import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type {} from './start-test-database.ts';

/** An empty database as operators create it by the guide: one role owns it, the other may only sign in. */
export interface TwoRoleDatabase extends AsyncDisposable {
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
}

export async function createTwoRoleDatabase(): Promise<TwoRoleDatabase> {
  const name = `two_roles_${randomUUID().replaceAll('-', '')}`;
  const password = randomUUID();
  const roles = { owner: `${name}_o`, runtime: `${name}_r` };
  const attributes = `login password '${password}' nosuperuser nocreatedb nocreaterole`;
  await asSuperuser([
    ...Object.values(roles).map((role) => `create role ${role} ${attributes}`),
    `create database ${name} owner ${roles.owner}`,
  ]);
  const urlOf = (role: string): string => {
    const url = new URL(inject('databaseUrl'));
    Object.assign(url, { pathname: `/${name}`, username: role, password });
    return url.href;
  };
  return {
    ownerUrl: urlOf(roles.owner),
    runtimeUrl: urlOf(roles.runtime),
    [Symbol.asyncDispose]: () =>
      asSuperuser([
        `drop database if exists ${name} with (force)`,
        ...Object.values(roles).map((role) => `drop role if exists ${role}`),
      ]),
  };
}

async function asSuperuser(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
