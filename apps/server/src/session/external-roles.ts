import { PortalError } from '@deviceportal/contract/errors';
import { z } from 'zod';

export interface ExternalRolesOptions {
  /** Application host of the external provider, without a trailing slash. */
  readonly host: string;
  readonly appId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly nowMs: () => number;
}

const TIMEOUT_MS = 10_000;
/** Changes of roles at the provider take effect within this time. */
const KEPT_MS = 60_000;
const KEPT_TOKENS = 5_000;

/** Only the fields that are used (identity-sdk.md, section 5: operation `getUserRoles`). */
const QUERY =
  'query getUserRoles($id: String!, $namespace: String) { user(id: $id) { roles(namespace: $namespace) { totalCount list { code } } } }';

const answerSchema = z.object({
  errors: z.array(z.unknown()).nullish(),
  data: z
    .object({
      user: z
        .object({ roles: z.object({ list: z.array(z.object({ code: z.string() })) }).nullish() })
        .nullish(),
    })
    .nullish(),
});

interface Kept {
  readonly codes: Promise<readonly string[]>;
  readonly untilMs: number;
}

/**
 * Requests a user's role codes from the external provider, with the user's own token, at most once a minute. While
 * the provider does not respond, its last response for that token is used.
 * @throws PortalError httpUnknown when it has never responded
 */
export function createExternalRoles(
  options: ExternalRolesOptions,
): (token: string, subject: string) => Promise<readonly string[]> {
  const kept = new Map<string, Kept>();
  return (token, subject) => {
    const nowMs = options.nowMs();
    const known = kept.get(token);
    if (known !== undefined && nowMs < known.untilMs) return known.codes;
    if (kept.size >= KEPT_TOKENS) kept.clear();
    const codes = askForRoles(options, token, subject).catch((error: unknown) => {
      if (known !== undefined) return known.codes;
      kept.delete(token);
      throw error;
    });
    kept.set(token, { codes, untilMs: nowMs + KEPT_MS });
    return codes;
  };
}

async function askForRoles(
  { host, appId, fetch }: ExternalRolesOptions,
  token: string,
  subject: string,
): Promise<readonly string[]> {
  try {
    const response = await fetch(`${host}/graphql/v2`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-authing-app-id': appId,
        'x-authing-request-from': 'sdk',
      },
      body: JSON.stringify({ query: QUERY, variables: { id: subject } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const answer = answerSchema.parse(await response.json());
    if (answer.errors?.length) throw new Error(JSON.stringify(answer.errors).slice(0, 500));
    return answer.data?.user?.roles?.list.map(({ code }) => code) ?? [];
  } catch (cause) {
    throw new PortalError('httpUnknown', {
      detail: 'identity provider roles unavailable for a user',
      cause,
    });
  }
}
