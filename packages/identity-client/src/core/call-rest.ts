import { urlOf } from './base-url.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityClient } from './identity-client.ts';
import { localError, report } from './report.ts';
import { asRecord, send, statusError, textOf, type Answer } from './send.ts';
import type { RestCall } from './calls.ts';

/**
 * A call with the envelope `{ code, message, data }`: returns the data and throws an error for
 * every other outcome.
 */
export async function callRest(client: IdentityClient, call: RestCall): Promise<unknown> {
  const token = call.token === undefined ? client.session.getToken() : call.token;
  const isForm = call.body instanceof FormData;
  const answer = await send(client, {
    method: call.method,
    url: urlOf(call.base ?? client.baseUrl, call.path, call.query),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(call.body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.body ? { body: isForm ? (call.body as FormData) : JSON.stringify(call.body) } : {}),
    signal: call.signal,
  });
  return openEnvelope(client, answer, call.malformed ?? malformed(client));
}

function openEnvelope(client: IdentityClient, answer: Answer, unclear: IdentityError): unknown {
  if (!answer.ok) throw statusError(client, answer);
  const { code, statusCode, apiCode, message, data } = asRecord(answer.body);
  if (code === 200 || statusCode === 200) return data;
  const number = code ?? statusCode;
  if (typeof number !== 'number') throw report(client, unclear);
  throw report(client, new IdentityError(textOf(message), { code: number, data, apiCode }));
}

/**
 * A response that does not match the contract. Its text is not repeated, because it could contain a
 * token.
 */
export function malformed(client: IdentityClient): IdentityError {
  return localError(client, 'MALFORMED_REPLY', {
    zh: '服务器返回了无法识别的内容',
    en: 'The server response is malformed',
  });
}
