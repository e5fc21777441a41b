import { createHash } from 'node:crypto';

/** RFC 7636, section 4.2; for the lower limit see the docs/design/sign-in.md, section 5, "Token calls". */
const CHALLENGE = /^[\w.~-]{43,128}$/;

/**
 * Converts a PKCE challenge of the method `plain` in an authorization URL to S256: the contract
 * allows both (docs/design/sign-in.md, section 5), oidc-provider only the latter. The verifier is
 * the same for both (RFC 7636, section 4.6). Invalid challenges are left for oidc-provider to
 * reject.
 * @param url path and query
 */
export function hashPlainChallenge(url: string): string {
  const at = url.indexOf('?');
  if (at === -1) return url;
  const parameters = new URLSearchParams(url.slice(at + 1));
  const challenge = only(parameters, 'code_challenge');
  if (only(parameters, 'code_challenge_method') !== 'plain') return url;
  if (challenge === undefined || !CHALLENGE.test(challenge)) return url;
  parameters.set('code_challenge', createHash('sha256').update(challenge).digest('base64url'));
  parameters.set('code_challenge_method', 'S256');
  return `${url.slice(0, at)}?${parameters.toString()}`;
}

function only(parameters: URLSearchParams, name: string): string | undefined {
  const all = parameters.getAll(name);
  return all.length === 1 ? all[0] : undefined;
}
