import { startEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.ts';

/** A process that owns an embedded database until it is killed. Prints the PID of the database. */
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('a data folder is required');
const server = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${server.pid}\n`);
setInterval(() => {}, 60_000);
