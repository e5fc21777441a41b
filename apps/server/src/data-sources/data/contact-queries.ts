import { eq, gt, lt, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import type { Contact } from '../contact-log.ts';
import { sourceContact } from './data-sources-tables.ts';

/** Longer than a server that runs keeps silent. */
const SILENT_SECONDS = 60;

const { seenAt, server, source } = sourceContact;
const silentSince = sql`${portalNow} - make_interval(secs => ${SILENT_SECONDS})`;

/** Replaces the entries of a server, and deletes those of servers that were killed. */
export async function recordContacts(
  on: Executor,
  by: { readonly id: string; readonly name: string },
  contacts: readonly Contact[],
): Promise<void> {
  if (contacts.length === 0) return;
  await on
    .insert(sourceContact)
    .values(
      contacts.map((contact) => ({
        ...contact,
        ...{ server: by.id, serverName: by.name, seenAt: portalNow },
      })),
    )
    .onConflictDoUpdate({
      target: [source, server],
      set: {
        seenAt: excluded(seenAt),
        lastAnswerAt: excluded(sourceContact.lastAnswerAt),
        failingSince: excluded(sourceContact.failingSince),
        fault: excluded(sourceContact.fault),
        delayMs: excluded(sourceContact.delayMs),
        waiting: excluded(sourceContact.waiting),
        calls: excluded(sourceContact.calls),
        failedCalls: excluded(sourceContact.failedCalls),
      },
    });
  await on.delete(sourceContact).where(lt(seenAt, silentSince));
}

export async function deleteContacts(on: Executor, of: string): Promise<void> {
  await on.delete(sourceContact).where(eq(server, of));
}

export type SourceContact = typeof sourceContact.$inferSelect;

/** The entries of all running servers. */
export async function selectContacts(on: Executor): Promise<readonly SourceContact[]> {
  return on.select().from(sourceContact).where(gt(seenAt, silentSince)).orderBy(source);
}
