import { queryText, urlOf } from './base-url.ts';
import type { IdentityClient } from './identity-client.ts';
import { send, statusError } from './send.ts';
import type { RawCall } from './calls.ts';

/** A call of the sign-in protocols: no response envelope, and never the current user's token. */
export async function callRaw(client: IdentityClient, call: RawCall): Promise<unknown> {
  const { form, authorization } = call;
  const answer = await send(client, {
    method: call.method,
    url: urlOf(client.baseUrl, call.path, call.query),
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: queryText(form) } : {}),
    signal: call.signal,
  });
  if (!answer.ok) throw statusError(client, answer);
  return answer.body;
}
