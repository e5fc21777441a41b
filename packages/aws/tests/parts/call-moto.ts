import type { RunningPart } from './start-part.ts';

/**
 * A call of AWS for tests without a client: moto checks no signature.
 *
 * @param input parameters of a service with the query protocol, otherwise JSON
 */
export async function callMoto(
  { endpoint, region, credentials }: RunningPart,
  service: string,
  target: string,
  input: Readonly<Record<string, unknown>> | URLSearchParams,
): Promise<void> {
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
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}
