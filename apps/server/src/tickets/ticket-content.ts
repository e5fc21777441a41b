import type { CaseDetail } from '@deviceportal/contract/cases';
import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import { createTextRedactor } from '../reports/sharing/text-redactor.ts';
import { withTimeout } from '../reports/sharing/with-timeout.ts';
import type { TicketContent } from './systems/ticket-client.ts';

/** The facts of a case that can be sent. */
export interface CaseFacts {
  readonly id: string;
  readonly about: string;
  readonly priority: CaseDetail['priority'];
  readonly queue: string;
  readonly person: {
    readonly name: string;
    readonly username: string;
    readonly email: string | null;
    readonly phone: string | null;
  };
}

type Shares = TicketSystemSettings['shares'];

const REDACTION_MS = 1_000;
const NOT_SHARED = 'The text is in the portal.';

/** A free text as the setting allows it to leave the portal. A text that takes too long to redact is not sent. */
function sharedText(text: string, shares: Shares, { person }: CaseFacts): string {
  if (text === '') return '';
  if (shares === 'nothing') return NOT_SHARED;
  if (shares === 'personal-data') return text;
  const redactor = createTextRedactor({
    names: [person.name, person.username],
    contacts: [person.email, person.phone].filter((contact) => contact !== null),
    keptContacts: [],
    ...{ otherPeople: true, networks: true, places: true },
    countries: [],
  });
  return withTimeout(REDACTION_MS, () => redactor.text(text)) ?? NOT_SHARED;
}

/** What a new ticket says. */
export function createdContent(
  facts: CaseFacts,
  { shares, caseUrl }: { readonly shares: Shares; readonly caseUrl: string },
): TicketContent {
  const about = sharedText(facts.about, shares, facts);
  const isShared = about !== '' && about !== NOT_SHARED;
  const lines = [
    ...(isShared ? [about, ''] : []),
    `Case: ${caseUrl}`,
    `Priority: ${facts.priority}`,
    ...(facts.queue === '' || shares === 'nothing' ? [] : [`Queue: ${facts.queue}`]),
    ...(shares === 'personal-data' ? [`Person: ${facts.person.name}`] : []),
  ];
  return { title: isShared ? about : 'Support case', text: lines.join('\n') };
}

/** What a note, or the end of a case, says. */
export const noteContent = (
  what: string,
  text: string,
  {
    facts,
    shares,
    caseUrl,
  }: { readonly facts: CaseFacts; readonly shares: Shares; readonly caseUrl: string },
): TicketContent => ({
  title: what,
  text: [`${what}: ${caseUrl}`, sharedText(text, shares, facts)].filter(Boolean).join('\n\n'),
});
