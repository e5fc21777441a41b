import type { RunningPart } from './start-part.ts';

/**
 * A call of AWS for tests without a client: moto checks no signature.
 *
 * @param input parameters of a service with the query protocol, otherwise JSON
 * @returns the answer as text
 */
export async function callMoto(
  { endpoint, region, credentials }: Pick<RunningPart, 'endpoint' | 'region' | 'credentials'>,
  service: string,
  target: string,
  input: Readonly<Record<string, unknown>> | URLSearchParams,
): Promise<string> {
  const scope = `${credentials.accessKeyId}/20260101/${region}/${service}/aws4_request`;
  const isQuery = input instanceof URLSearchParams;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...(!isQuery && { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }),
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    body: isQuery ? new URLSearchParams([['Action', target], ...input]) : JSON.stringify(input),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${target}: ${response.status} ${answer}`);
  return answer;
}
