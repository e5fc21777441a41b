import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadAws } from '../../../apps/server/src/platform/aws/load-aws.ts';
import { lacks } from './parts/parts.ts';
import { partCredentials } from './parts/start-part.ts';

const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Signature Version 4 by query string, as the database checks it (IAM User Guide). */
function signatureOf(token: URL): string {
  const { searchParams: query, host } = token;
  const scope = (query.get('X-Amz-Credential') ?? '').split('/').slice(1);
  const signed = [...query].filter(([name]) => name !== 'X-Amz-Signature');
  const canonical = signed
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const request = ['GET', '/', canonical, `host:${host}`, '', 'host', hashOf('')].join('\n');
  const text = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date'), scope.join('/'), hashOf(request)];
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${partCredentials.secretAccessKey}`);
  return hmac(key, text.join('\n')).toString('hex');
}

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
    expect(token.searchParams.get('X-Amz-Signature')).toBe(signatureOf(token));
  });
});
