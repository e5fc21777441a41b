import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import type { InternalHosts } from '../platform/outside/internal-hosts.ts';
import { jiraClient } from './systems/jira-client.ts';
import { serviceNowClient } from './systems/servicenow-client.ts';
import type { TicketClient } from './systems/ticket-client.ts';

export function clientOf(
  settings: TicketSystemSettings,
  { secret, hosts }: { readonly secret: string; readonly hosts: InternalHosts },
): TicketClient {
  const connection = { settings, secret, hosts };
  return settings.kind === 'jira'
    ? jiraClient(connection, settings)
    : serviceNowClient(connection, settings);
}
