import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import {
  askingAs,
  listIn,
  textIn,
  TicketRefused,
  type Ask,
  type CreatedTicket,
  type TicketClient,
  type TicketConnection,
  type TicketMessage,
} from './ticket-client.ts';

type JiraSettings = Extract<TicketSystemSettings, { readonly kind: 'jira' }>;

/** Jira Cloud REST API, version 3: texts are documents in the Atlassian Document Format. */
export function jiraClient(connection: TicketConnection, settings: JiraSettings): TicketClient {
  const ask = askingAs(connection);
  const issue = (id: string): string => `/rest/api/3/issue/${encodeURIComponent(id)}`;
  const ticketOf = (key: string): CreatedTicket => ({
    ...{ externalId: key, key },
    url: `${settings.url.replace(/\/+$/, '')}/browse/${encodeURIComponent(key)}`,
  });
  return {
    async create(message) {
      const label = `deviceportal-${message.caseId}`;
      const known = message.isRepeated ? await findByLabel(ask, label) : undefined;
      if (known !== undefined) return ticketOf(known);
      const { title, text } = message.content;
      const created = await ask('POST', '/rest/api/3/issue', {
        fields: {
          project: { key: settings.project },
          issuetype: { name: settings.issueType },
          summary: title.replaceAll(/\s+/g, ' ').slice(0, 254),
          description: documentOf(text),
          labels: [label],
        },
      });
      return ticketOf(textIn(created, 'key'));
    },
    async comment(id, message) {
      if (message.isRepeated && (await hasComment(ask, issue(id), message))) return;
      await ask('POST', `${issue(id)}/comment`, {
        body: documentOf(message.content.text),
        properties: [{ key: 'deviceportal', value: { id: message.deliveryId } }],
      });
    },
    async close(id) {
      const offered = await ask('GET', `${issue(id)}/transitions`);
      const found = listIn(offered, 'transitions').find(
        (each) => nameOf(each).toLowerCase() === settings.closing.toLowerCase(),
      );
      if (found !== undefined) {
        await ask('POST', `${issue(id)}/transitions`, {
          transition: { id: textIn(found, 'id') },
        });
        return;
      }
      const current = await ask('GET', `${issue(id)}?fields=status`);
      const category = textIn(current, 'fields', 'status', 'statusCategory', 'key');
      if (category !== 'done') throw new TicketRefused({ reason: 'no-transition', isFinal: true });
    },
    async test() {
      await ask('GET', `/rest/api/3/project/${encodeURIComponent(settings.project)}`);
    },
  };
}

const nameOf = (transition: unknown): string => {
  const { name } = transition as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
};

async function findByLabel(ask: Ask, label: string): Promise<string | undefined> {
  const jql = encodeURIComponent(`labels = "${label}"`);
  const answer = await ask('GET', `/rest/api/3/search/jql?jql=${jql}&fields=key&maxResults=1`);
  const [first] = listIn(answer, 'issues');
  return first === undefined ? undefined : textIn(first, 'key');
}

async function hasComment(
  ask: Ask,
  issue: string,
  { deliveryId }: TicketMessage,
): Promise<boolean> {
  const answer = await ask(
    'GET',
    `${issue}/comment?orderBy=-created&maxResults=100&expand=properties`,
  );
  return listIn(answer, 'comments').some((comment) => {
    const { properties } = comment as { readonly properties?: unknown };
    return JSON.stringify(properties ?? []).includes(deliveryId);
  });
}

/** A paragraph for each line (Atlassian Document Format, version 1). A paragraph can be empty, a text cannot. */
function documentOf(text: string) {
  return {
    type: 'doc',
    version: 1,
    content: text.split('\n').map((line) => ({
      type: 'paragraph',
      content: line === '' ? [] : [{ type: 'text', text: line }],
    })),
  };
}
