import { createHash, createHmac } from 'node:crypto';
import { partCredentials } from './start-part.ts';

const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/**
 * The signature that a token of a database must have, as the database computes it: Signature
 * Version 4 by query string (IAM User Guide).
 */
export function rdsTokenSignature({ searchParams: query, host }: URL): string {
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
