import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Database } from '../platform/database/database.ts';
import { bestFirst } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { mailboxOf, peopleByMailboxes } from './data/people-by-mailboxes.ts';
import { firstVisible } from './data/visible-people.ts';
import { personHit } from './person-hit.ts';

const emailShape = /^([^\s@]{2,64})@([^\s@]{1,100})$/;
const RANKED = 500;
/** All spellings of a local part with up to 32 characters. Of a longer one, the most likely spellings. */
const MOST_VARIANTS = 2_500;
/** People with the same spelling of the local part at different domains. */
const OF_EACH_VARIANT = 20;
/** A domain with more typing errors is another domain. */
const MOST_DOMAIN_ERRORS = 2;

export interface MailboxRequest {
  readonly text: string;
  /** Every spelling of a local part with one typing error, most likely first. */
  readonly variantsOf: (mailbox: string) => readonly string[];
  readonly limit: number;
}

/**
 * People for an email address with typing errors: in its domain, compared with the domains of the people who have its
 * local part; if there are none, also one error in the local part.
 */
export async function findPeopleByMailbox(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, variantsOf, limit }: MailboxRequest,
): Promise<SearchHit[]> {
  const [, localPart, domain] = emailShape.exec(text.toLowerCase()) ?? [];
  if (localPart === undefined || domain === undefined) return [];
  if (!holds(viewer.grants, 'people:read')) return [];
  const on = deps.database.orm;
  const mailbox = mailboxOf(localPart);
  const ways = [
    { mailboxes: () => [mailbox], ofEach: RANKED },
    { mailboxes: () => variantsOf(mailbox).slice(0, MOST_VARIANTS), ofEach: OF_EACH_VARIANT },
  ];
  for (const { mailboxes, ofEach } of ways) {
    const wanted = { mailboxes: mailboxes(), domain, ofEach, limit: RANKED };
    const people = await peopleByMailboxes(on, wanted);
    const scored = people.flatMap((person) => {
      const [found = '', host = ''] = (person.email ?? '').toLowerCase().split('@');
      const localErrors = typingDistance(localPart, found, 3);
      const domainErrors = typingDistance(domain, host, MOST_DOMAIN_ERRORS);
      const isOther = domainErrors > MOST_DOMAIN_ERRORS;
      // With errors in both parts, it would be any address.
      if (isOther && localErrors > 0) return [];
      const score = searchScores.contains - 1 - 3 * localErrors - (isOther ? 15 : domainErrors);
      return [{ person, id: person.id, score, isOther }];
    });
    const ranked = bestFirst(scored, scored.length);
    const visible = await firstVisible(on, viewer, { people: ranked, limit });
    if (visible.length === 0) continue;
    return visible.map(({ person, score, isOther }) =>
      personHit(person, score, isOther ? 'other-domain' : 'similar-spelling'),
    );
  }
  return [];
}
