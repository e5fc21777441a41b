import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { person } from './people-tables.ts';

/** People with one local part whose domains are compared. */
const MOST_COMPARED = 2_000;
const LONGEST_DOMAIN = 100;

export interface WantedMailboxes {
  readonly mailboxes: readonly string[];
  /** People whose domain is most similar to this one are preferred. */
  readonly domain: string;
  /** Number of people for each local part. */
  readonly ofEach: number;
  readonly limit: number;
}

/** The local part of an email address without separators, as in the index `person_mailbox`. */
export const mailboxOf = (localPart: string): string => localPart.replaceAll(/[._-]/g, '');
const mailbox = sql`translate(split_part(lower(${person.email}), '@', 1), '._-', '') collate "C"`;

const { id, name, username, email, phone } = person;

/**
 * People by the local parts of their addresses, in the order of these. One index look-up for each: in a join without
 * limits, the planner reads all people if there are many local parts.
 */
export function peopleByMailboxes(
  on: Executor,
  { mailboxes, domain, ofEach, limit }: WantedMailboxes,
) {
  const same = on
    .select({ id, name, username, email, phone })
    .from(person)
    .where(sql`${mailbox} = wanted.mailbox`)
    .limit(MOST_COMPARED)
    .as('same');
  const host = sql`left(split_part(lower(${same.email}), '@', 2), ${LONGEST_DOMAIN})`;
  const found = on
    .select()
    .from(same)
    .orderBy(sql`levenshtein(${host}, ${domain.slice(0, LONGEST_DOMAIN)})`)
    .limit(ofEach)
    .as('found');
  return on
    .select({
      id: found.id,
      name: found.name,
      username: found.username,
      email: found.email,
      phone: found.phone,
    })
    .from(sql`unnest(${sql.param([...mailboxes])}::text[]) as wanted(mailbox)`)
    .crossJoinLateral(found)
    .limit(limit);
}
