import type { RunningPart } from './start-part.ts';

/** A call in the JSON protocol of AWS, for tests without a client: moto checks no signature. */
export async function callMoto(
  { endpoint, region, credentials }: RunningPart,
  service: string,
  target: string,
  input: object,
): Promise<unknown> {
  const scope = `${credentials.accessKeyId}/20260101/${region}/${service}/aws4_request`;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return response.json();
}
