import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../wire/wire-reply.ts';
import type { Principal } from './principal.ts';
import { SignatureError } from './signature-error.ts';
import { CLOCK_SKEW_MS, verifySignedRequest, type FindKey } from './verify-signed-request.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const KEY = { accessKeyId: 'AKIAEXAMPLEEXAMPLE22', secretAccessKey: 'secret/with+signs=' };
const SCOPE = { service: 'cognito-idp', regions: ['us-east-1'] };
const PRINCIPAL = { name: 'tester' } as Principal;

const findKey: FindKey = async (accessKeyId, sessionToken) => {
  if (accessKeyId !== KEY.accessKeyId || (sessionToken ?? 'token') !== 'token') {
    throw new SignatureError('unknownKey', 'unknown');
  }
  return { secretAccessKey: KEY.secretAccessKey, principal: () => PRINCIPAL };
};

interface Call {
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const plain: Call = {
  path: '/identity',
  query: {},
  headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers' },
  body: '{"UserPoolId":"us-east-1_DevicePortal"}',
};

/** The request as it arrives, signed with the SDK's own signer. */
async function arrive(
  call: Call,
  options: { atMs?: number; service?: string; region?: string; sessionToken?: string } = {},
): Promise<WireRequest> {
  const { sessionToken } = options;
  const signer = new SignatureV4({
    service: options.service ?? 'cognito-idp',
    region: options.region ?? 'us-east-1',
    sha256: Sha256,
    credentials: { ...KEY, ...(sessionToken !== undefined && { sessionToken }) },
  });
  const request = new HttpRequest({
    method: 'POST',
    protocol: 'http:',
    hostname: 'portal.example',
    path: call.path,
    query: call.query,
    headers: { ...call.headers, host: 'portal.example:8443' },
    body: call.body,
  });
  const signed = await signer.sign(request, { signingDate: new Date(options.atMs ?? NOW_MS) });
  const query = Object.entries(call.query).map((pair) => pair.map(encodeText).join('='));
  return {
    method: 'POST',
    url: query.length === 0 ? call.path : `${call.path}?${query.join('&')}`,
    headers: signed.headers,
    body: call.body,
    address: '127.0.0.1',
  };
}

const encodeText = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function verify(request: WireRequest, nowMs = NOW_MS) {
  return verifySignedRequest({ clock: { now: () => nowMs }, findKey }, request, SCOPE);
}

function faultOf(request: WireRequest, nowMs?: number): Promise<string> {
  return verify(request, nowMs).then(
    () => 'accepted',
    (error: unknown) => (error instanceof SignatureError ? error.fault : String(error)),
  );
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const segment = fc.oneof(text.map(encodeText), fc.constantFrom('', '.', '..', '%2F', '%20'));
const headerValue = fc
  .string({ unit: fc.constantFrom('a', 'B', ' ', '  ', ',', ';', '"', '=', '\t'), maxLength: 12 })
  .map((value) => value.trim());
const headerName = fc
  .string({ unit: fc.constantFrom(...'abcdefxyz-019'), minLength: 1, maxLength: 8 })
  .map((name) => `x-amz-meta-${name}`);
// The SDK's signer keeps a query in plain objects, and loses a parameter of this one name.
const queryName = text.filter((name) => name !== '__proto__');
const anyCall = fc.record({
  path: fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  query: fc.dictionary(queryName, text, { maxKeys: 4, noNullPrototype: true }),
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 4, noNullPrototype: true }),
  body: fc.string({ unit: 'binary', maxLength: 200 }),
});

describe('verifySignedRequest', () => {
  it("accepts requests signed by the SDK's own signer", async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, fc.option(fc.constant('token')), async (call, token) => {
        const options = token === null ? {} : { sessionToken: token };
        const request = await arrive(call, options);
        await expect(verify(request)).resolves.toBe(PRINCIPAL);
      }),
      { numRuns: 300 },
    );
  });

  it('[sigv4-2] rejects the request when any part of it was changed', async () => {
    const call = {
      ...plain,
      query: { a: '1', b: '2' },
      headers: { ...plain.headers, 'x-amz-b': 'x' },
    };
    const request = await arrive(call, { sessionToken: 'token' });
    expect(await faultOf(request)).toBe('accepted');
    const header = (name: string, change: (value: string) => string): WireRequest => ({
      ...request,
      headers: { ...request.headers, [name]: change(String(request.headers[name])) },
    });
    const changed: readonly WireRequest[] = [
      { ...request, method: 'PUT' },
      { ...request, url: request.url.replace('/identity', '/identitx') },
      { ...request, url: request.url.replace('a=1', 'a=2') },
      { ...request, url: `${request.url}&c=3` },
      { ...request, url: '/identity' },
      { ...request, body: `${request.body} ` },
      header('host', () => 'other.example'),
      header('x-amz-target', (value) => value.replace('ListUsers', 'AdminDeleteUser')),
      header('x-amz-b', () => 'y'),
      header('x-amz-content-sha256', (value) => value.replaceAll(/./g, '0')),
      header('x-amz-date', () => '20261120T120001Z'),
      header('authorization', (value) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`),
    ];
    for (const other of changed) expect(await faultOf(other)).toBe('mismatch');
  });

  it('rejects a changed character anywhere in the signed headers', async () => {
    const request = await arrive(plain, { sessionToken: 'token' });
    const names = Object.keys(request.headers);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(), async (name, position) => {
        const value = String(request.headers[name]);
        const at = position % value.length;
        const other = value[at] === 'q' ? 'z' : 'q';
        const headers = { ...request.headers };
        headers[name] = value.slice(0, at) + other + value.slice(at + 1);
        expect(await faultOf({ ...request, headers })).not.toBe('accepted');
      }),
      { numRuns: 300 },
    );
  });

  it('accepts a clock skew of five minutes, but not one second more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -900, max: 900 }), async (skewSeconds) => {
        const request = await arrive(plain, { atMs: NOW_MS + skewSeconds * 1_000 });
        const isWithin = Math.abs(skewSeconds) * 1_000 <= CLOCK_SKEW_MS;
        const expected = isWithin ? 'accepted' : skewSeconds < 0 ? 'stale' : 'notYetValid';
        expect(await faultOf(request)).toBe(expected);
      }),
    );
  });

  it('the header that names the operation must be signed', async () => {
    const { headers, ...rest } = await arrive({ ...plain, headers: {} });
    const smuggled = { ...headers, 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers' };
    expect(await faultOf({ ...rest, headers: smuggled })).toBe('incomplete');
  });

  it('a signature is valid only for its service and region', async () => {
    expect(await faultOf(await arrive(plain, { service: 'sts' }))).toBe('wrongScope');
    expect(await faultOf(await arrive(plain, { region: 'eu-west-1' }))).toBe('wrongScope');
  });

  it('rejects another session token or another key', async () => {
    expect(await faultOf(await arrive(plain, { sessionToken: 'other' }))).toBe('unknownKey');
    const request = await arrive(plain);
    const authorization = String(request.headers['authorization']).replace('AKIA', 'AKIB');
    const headers = { ...request.headers, authorization };
    expect(await faultOf({ ...request, headers })).toBe('unknownKey');
  });

  it.each([
    ['', 'missing'],
    ['Bearer x', 'incomplete'],
    ['AWS4-HMAC-SHA256 ', 'incomplete'],
    ['AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host, Signature=00', 'incomplete'],
    ['AWS4-HMAC-SHA256 Credential=a, Credential=b', 'incomplete'],
    ['AWS4-ECDSA-P256-SHA256 Credential=a', 'incomplete'],
  ])('reports the problem of the header %j', async (authorization, fault) => {
    const request = await arrive(plain);
    const headers = { ...request.headers, authorization };
    expect(await faultOf({ ...request, headers })).toBe(fault);
  });

  it('handles any malformed header without an internal error', async () => {
    const request = await arrive(plain);
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (authorization, date) => {
        const headers = {
          ...request.headers,
          authorization: `AWS4-HMAC-SHA256 ${authorization}`,
          'x-amz-date': date,
        };
        expect(await faultOf({ ...request, headers })).toMatch(/^(incomplete|unknownKey)$/);
      }),
    );
  });
});
