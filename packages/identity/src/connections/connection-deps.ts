import type { ProviderContext } from '../provider/provider-context.ts';
import type { Application } from '../applications/application.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { pathOf } from './find-connection.ts';
import type { WebConnection } from './connection.ts';
import type { Interactions } from './interactions.ts';
import type { Upstream } from './upstream/upstream.ts';

/** Shared dependencies of the connection routes. */
export interface ConnectionDeps {
  readonly context: ProviderContext;
  /** By identifier. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly interactions: Interactions;
}

export function upstreamOf({ upstreams }: ConnectionDeps, { identifier }: WebConnection): Upstream {
  const found = upstreams.get(identifier);
  if (found === undefined) throw new Error(`No upstream exists for ${identifier}.`);
  return found;
}

/** Callback URL, which must be registered at the external provider. */
export function callbackUrlOf({ context }: ConnectionDeps, connection: WebConnection): string {
  return `${context.settings.baseUrl}${pathOf(connection)}/callback`;
}

/** @throws ProviderError applicationDoesNotExist */
export async function requireApplication(
  { context }: ConnectionDeps,
  appId: string,
): Promise<Application> {
  const application = await context.applications.find(appId);
  if (application === undefined) throw new ProviderError(refusals.applicationDoesNotExist);
  return application;
}

/** The origins of the pages that belong to an application. */
export function originsOf(
  { context: { settings } }: ConnectionDeps,
  { redirectUris, logoutRedirectUris, allowedOrigins }: Application,
): string[] {
  const uris = [
    ...redirectUris,
    ...logoutRedirectUris,
    ...allowedOrigins,
    ...settings.allowedOrigins,
    settings.baseUrl,
  ];
  return [...new Set(uris.map((uri) => new URL(uri).origin))];
}
