import type { CallOptions, IdentityClient } from '../core/identity-client.ts';

export interface ApplicationPage {
  readonly totalCount: number;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

/** Lists the applications that the current user can access. */
export async function listApplications(
  client: IdentityClient,
  { page = 1, limit = 10 }: { readonly page?: number; readonly limit?: number } = {},
  { signal }: CallOptions = {},
): Promise<ApplicationPage> {
  const path = '/api/v2/users/me/applications/allowed';
  const reply = await client.rest({ method: 'GET', path, query: { page, limit }, signal });
  return reply as ApplicationPage;
}
