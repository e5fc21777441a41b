import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../platform/database/database.ts';
import type { ProviderAdministration } from '@deviceportal/identity/provider-administration';

export interface ProviderAdminDeps {
  readonly database: Database;
  /** The identity provider at `/idp`; undefined if this installation has none. */
  readonly provider: ServedProvider | undefined;
}

export interface ServedProvider {
  /** The host of the application. */
  readonly host: string;
  /** Whether users of the portal sign in there. */
  readonly signsPortalIn: boolean;
  readonly administration: ProviderAdministration;
}

/** @throws PortalError 2004 if there is no embedded provider */
export function requireProvider({ provider }: ProviderAdminDeps): ProviderAdministration {
  if (provider !== undefined) return provider.administration;
  throw refuse('no-own-provider');
}
