import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { connectionRefusals } from './connection-refusals.ts';
import { isDirectory, isSocial, type WebConnection } from './connection.ts';

type Context = Pick<ProviderContext, 'settings'>;

/** Every connection that is walked in a browser. */
export function webConnections({ settings }: Context): WebConnection[] {
  return settings.connections.filter((each): each is WebConnection => !isDirectory(each));
}

/**
 * The connection that an address names: `social` and an identifier, or a protocol and an identifier.
 * @throws ProviderError unknownConnection
 */
export function requireWebConnection(
  context: Context,
  { protocol, identifier }: { readonly protocol: string; readonly identifier: string },
): WebConnection {
  const found = webConnections(context).find(
    (each) =>
      each.identifier === identifier &&
      (isSocial(each) ? protocol === 'social' : protocol === each.protocol),
  );
  if (found === undefined) throw new ProviderError(connectionRefusals.unknownConnection);
  return found;
}

/** The connection's path in URLs. */
export function pathOf(connection: WebConnection): string {
  const name = encodeURIComponent(connection.identifier);
  return `/connections/${isSocial(connection) ? 'social' : connection.protocol}/${name}`;
}
