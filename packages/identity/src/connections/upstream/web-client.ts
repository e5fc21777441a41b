import * as client from 'openid-client';

const TIMEOUT_SECONDS = 10;

/** Without a secret the client is a public one, which PKCE protects. */
export function authenticationOf(secret: string | undefined): client.ClientAuth {
  return secret === undefined ? client.None() : client.ClientSecretPost(secret);
}

/** Plain HTTP is allowed only on this machine, for tests and local programs. */
export function isOnThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

export function harden(config: client.Configuration, address: string): client.Configuration {
  config.timeout = TIMEOUT_SECONDS;
  if (isOnThisMachine(address)) client.allowInsecureRequests(config);
  return config;
}

/** The callback with the answer, as the library reads it. */
export function callbackWith(callbackUrl: string, answer: URLSearchParams): URL {
  const url = new URL(callbackUrl);
  url.search = answer.toString();
  return url;
}
