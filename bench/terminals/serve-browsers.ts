import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { everywhere } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../apps/server/src/platform/viewer.ts';
import type { EndDeps } from '../../apps/server/src/terminals/end-terminal.ts';
import type { TerminalSender } from '../../apps/server/src/terminals/terminal-lines.ts';
import { TerminalSockets } from '../../apps/server/src/terminals/terminal-sockets.ts';
import { benchLogger } from '../device-fixture.ts';
import { administrator } from '../support/administrator.ts';

const users = new Map<string, Viewer>();

/** A user of their own for each token, who may open terminals. */
export function benchUser(token: string): Viewer {
  const known = users.get(token);
  if (known) return known;
  const user: Viewer = {
    ...administrator,
    userId: crypto.randomUUID(),
    username: token,
    grants: [{ permissions: ['terminal:open'], scope: everywhere }],
  };
  users.set(token, user);
  return user;
}

/** WebSockets of terminals, for browsers of many addresses. Returns their URL. */
export async function serveBrowsers(
  resources: AsyncDisposableStack,
  { database, changes, terminalLines }: EndDeps & { readonly terminalLines: TerminalSender },
): Promise<string> {
  const server = createServer();
  resources.defer(() => void server.close());
  resources.use(
    new TerminalSockets({
      ...{ database, changes, terminalLines, server, logger: benchLogger },
      recent: terminalLines.recent,
      addressOf: ({ url = '' }) => new URL(url, 'ws://bench').searchParams.get('address') ?? '',
      findViewer: async (token) => benchUser(token),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/terminal`;
}
