import { describe, expect, it } from 'vitest';
import { loadAws } from '../../../apps/server/src/platform/aws/load-aws.ts';
import { lacks } from './parts/parts.ts';
import { rdsTokenSignature } from './parts/rds-token-signature.ts';
import { partCredentials } from './parts/start-part.ts';

describe.skipIf(lacks())('a token of a database', () => {
  it('is a signed request to connect as this user, valid for 15 minutes', async () => {
    const { createRdsTokens } = await loadAws('rds-tokens', 'test');
    const host = 'portal.cluster-abc.eu-central-1.rds.amazonaws.com';
    const options = { host, port: 5_432, region: 'eu-central-1', credentials: partCredentials };
    const token = new URL(`https://${await createRdsTokens(options)('portal')}`);
    expect(token.host).toBe(`${host}:5432`);
    expect(Object.fromEntries(token.searchParams)).toMatchObject({
      Action: 'connect',
      DBUser: 'portal',
      'X-Amz-Expires': '900',
      'X-Amz-Credential': expect.stringMatching(
        /^AKIDEXAMPLE\/\d{8}\/eu-central-1\/rds-db\/aws4_request$/,
      ) as string,
    });
    expect(token.searchParams.get('X-Amz-Signature')).toBe(rdsTokenSignature(token));
  });
});
