import { readFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * Creates the role of the servers with the password of its secret, or sets that password again. Connects as the
 * owner of the database by `PGHOST`, `PGDATABASE`, `PGUSER`, and `PGPASSWORD`.
 */
const { SERVER_ROLE: role, SERVER_PASSWORD: password, CA_FILE: caFile } = process.env;
if (!role || !password) throw new Error('SERVER_ROLE and SERVER_PASSWORD must be set.');
const client = new pg.Client({
  ...(caFile && { ssl: { ca: await readFile(caFile, 'utf8') } }),
});
await client.connect();
try {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  const name = client.escapeIdentifier(role);
  await client.query(`${verb} role ${name} login password ${client.escapeLiteral(password)}`);
  process.stdout.write(`The role ${role} can sign in.\n`);
} finally {
  await client.end();
}
