import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../platform/database/database.ts';
import type { ProviderAdministration } from '@deviceportal/identity/provider-administration';

export interface ProviderAdminDeps {
  readonly database: Database;
  /** The provider at `/idp`; undefined where this installation has none. */
  readonly provider: ServedProvider | undefined;
}

export interface ServedProvider {
  /** The application host. */
  readonly host: string;
  /** Whether the portal's own people sign in there. */
  readonly signsPortalIn: boolean;
  readonly administration: ProviderAdministration;
}

/** @throws PortalError 2004 where there is no provider to look after */
export function requireProvider({ provider }: ProviderAdminDeps): ProviderAdministration {
  if (provider !== undefined) return provider.administration;
  throw refuse('no-own-provider');
}
