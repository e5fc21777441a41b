import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging.ts';
import { repeat } from '../platform/process/repeat.ts';
import type { ContactLog } from './contact-log.ts';
import { deleteContacts, recordContacts } from './data/contact-queries.ts';

export interface ReportContactsDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly contacts: Pick<ContactLog, 'read'>;
  readonly logger: Pick<Logger, 'warn'>;
}

const INTERVAL_MS = 10_000;

/** Stores the results of calls to outside systems in the database, where all servers read them. */
export function reportContacts({
  database,
  contacts,
  logger,
}: ReportContactsDeps): AsyncDisposable {
  const server = { id: randomUUID(), name: `${hostname()}:${process.pid}` };
  const reporting = repeat(() => recordContacts(database.orm, server, contacts.read()), {
    everyMs: INTERVAL_MS,
    onError: (error) => logger.warn({ err: error }, 'state of outside systems not recorded'),
  });
  return {
    async [Symbol.asyncDispose]() {
      await reporting[Symbol.asyncDispose]();
      await deleteContacts(database.orm, server.id).catch(() => {});
    },
  };
}
