import { createHash } from 'node:crypto';

/** RFC 7636, section 4.2; for the lower limit see the docs/design/sign-in.md, section 5, "Token calls". */
const CHALLENGE = /^[\w.~-]{43,128}$/;

/**
 * The address of an authorization request, with a challenge of method `plain` turned into one of S256: clients of the
 * contract may send either (docs/design/sign-in.md, section 5), oidc-provider knows the latter only. Who has the
 * verifier of one has that of the other (RFC 7636, section 4.6). What is no challenge is left for oidc-provider to
 * refuse. @param url path and query
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
