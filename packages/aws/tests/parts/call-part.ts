import type { PartAddress } from './start-part.ts';

/**
 * A call in a JSON protocol of AWS without a client. The stand-ins check no signature.
 *
 * @param version of the JSON protocol
 */
export async function callPart(
  { endpoint, region, credentials }: PartAddress,
  call: { readonly service: string; readonly target: string; readonly version: '1.0' | '1.1' },
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const scope = `${credentials.accessKeyId}/20260101/${region}/${call.service}/aws4_request`;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': `application/x-amz-json-${call.version}`,
      'x-amz-target': call.target,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call.target}: ${response.status} ${text}`);
  return JSON.parse(text);
}
