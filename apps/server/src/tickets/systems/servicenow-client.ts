import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import {
  askingAs,
  listIn,
  textIn,
  type Ask,
  type CreatedTicket,
  type TicketClient,
  type TicketConnection,
} from './ticket-client.ts';

type ServiceNowSettings = Extract<TicketSystemSettings, { readonly kind: 'servicenow' }>;

const PORTAL = 'Device Portal';

/** ServiceNow Table API, version 1. Tickets of the portal have the ID of their case as correlation ID. */
export function serviceNowClient(
  connection: TicketConnection,
  settings: ServiceNowSettings,
): TicketClient {
  const ask = askingAs(connection);
  const table = `/api/now/table/${settings.table}`;
  const record = (id: string): string => `${table}/${encodeURIComponent(id)}`;
  const ticketOf = (found: unknown): CreatedTicket => {
    const externalId = textIn(found, 'sys_id');
    const form = `/${settings.table}.do?sys_id=${encodeURIComponent(externalId)}`;
    return {
      ...{ externalId, key: textIn(found, 'number') },
      url: `${settings.url.replace(/\/+$/, '')}/nav_to.do?uri=${encodeURIComponent(form)}`,
    };
  };
  return {
    async create({ caseId, content, isRepeated }) {
      if (isRepeated) {
        const [known] = await find(ask, table, {
          query: `correlation_id=${caseId}^correlation_display=${PORTAL}`,
          fields: 'sys_id,number',
        });
        if (known !== undefined) return ticketOf(known);
      }
      const { result } = await ask('POST', table, {
        short_description: content.title.replaceAll(/\s+/g, ' ').slice(0, 160),
        description: content.text,
        correlation_id: caseId,
        correlation_display: PORTAL,
      });
      return ticketOf(result);
    },
    async comment(id, { deliveryId, content, isRepeated }) {
      const mark = `[${PORTAL} ${deliveryId}]`;
      if (isRepeated) {
        const query = `element_id=${id}^element=work_notes^valueLIKE${deliveryId}`;
        const known = await find(ask, '/api/now/table/sys_journal_field', {
          ...{ query, fields: 'sys_id' },
        });
        if (known.length > 0) return;
      }
      await ask('PATCH', record(id), { work_notes: `${content.text}\n${mark}` });
    },
    async close(id, { content }) {
      await ask('PATCH', record(id), {
        state: settings.resolvedState,
        close_code: settings.closeCode,
        close_notes: content.text,
      });
    },
    async test() {
      await find(ask, table, { query: '', fields: 'sys_id' });
    },
  };
}

async function find(
  ask: Ask,
  table: string,
  { query, fields }: { readonly query: string; readonly fields: string },
): Promise<readonly unknown[]> {
  const search = new URLSearchParams({
    ...{ sysparm_query: query, sysparm_fields: fields, sysparm_limit: '1' },
  });
  return listIn(await ask('GET', `${table}?${search.toString()}`), 'result');
}
