import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';

/** Creates a policy of AWS IoT in moto. */
export async function createIotPolicy(
  { endpoint, region }: RunningPart,
  policy: { readonly name: string; readonly document: object },
): Promise<void> {
  const scope = `AKID/20260101/${region}/iot/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  const call = async (path: string, body: object): Promise<void> => {
    const reply = await fetch(endpoint + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  };
  await call(`/policies/${policy.name}`, { policyDocument: JSON.stringify(policy.document) });
}
