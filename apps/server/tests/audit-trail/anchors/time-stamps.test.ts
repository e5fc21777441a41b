import { createHash, randomBytes, type X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyTimeStamp } from '../../../src/audit-trail/anchors/time-stamp-token.ts';
import { requireTimeStampingCertificate } from '../../../src/audit-trail/anchors/time-stamping-certificate.ts';
import { fetchTimeStamp } from '../../../src/audit-trail/anchors/tsa-anchor.ts';
import { makeAmbiguousCertificates } from '../../support/make-ambiguous-certificates.ts';
import { startOpensslTsa, type OpensslTsa } from '../../support/audit/openssl-tsa.ts';

let tsa: OpensslTsa;
let other: OpensslTsa;
let webServer: OpensslTsa;

beforeAll(async () => {
  tsa = await startOpensslTsa();
  other = await startOpensslTsa({ key: 'ec' });
  webServer = await startOpensslTsa({ usage: 'critical,timeStamping,serverAuth' });
});
afterAll(async () => {
  await Promise.all([tsa, other, webServer].map((each) => each[Symbol.asyncDispose]()));
});

const hash = createHash('sha256').update('block').digest();

it('[tsa-1] a stamp of a real authority holds, by RSA and by ECDSA', async () => {
  for (const authority of [tsa, other]) {
    const token = await fetchTimeStamp(authority, hash);
    const { at, authority: name } = verifyTimeStamp(token, { hash, roots: authority.roots });
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
    expect(name).toContain('Test TSA');
  }
});

it('[tsa-2] a stamp of another hash, or of another authority, does not hold', async () => {
  const token = await fetchTimeStamp(tsa, hash);
  const { roots } = tsa;
  expect(() => verifyTimeStamp(token, { hash: randomBytes(32), roots })).toThrow('for other data');
  expect(() => verifyTimeStamp(token, { hash, roots: other.roots })).toThrow('trusted authority');
});

it('[tsa-3] a changed byte is found, wherever it says something', async () => {
  const token = await fetchTimeStamp(tsa, hash);
  const whole = verifyTimeStamp(token, { hash, roots: tsa.roots });
  for (let at = 0; at < token.length; at += 29) {
    const changed = Buffer.from(token);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x01, at);
    let held: unknown;
    try {
      held = verifyTimeStamp(changed, { hash, roots: tsa.roots });
    } catch {
      continue;
    }
    // What is outside the signature and the certificates used says nothing.
    expect(held, `byte ${at}`).toEqual(whole);
  }
});

it('[tsa-4] an answer to another request is refused, although it is of the same hash', async () => {
  await fetchTimeStamp(tsa, hash);
  tsa.replay = tsa.last();
  await expect(fetchTimeStamp(tsa, hash)).rejects.toThrow('does not belong to this request');
  tsa.replay = Buffer.from('no answer');
  await expect(fetchTimeStamp(tsa, hash)).rejects.toThrow('cannot be read');
  tsa.replay = null;
});

it('[tsa-5] an authority that is down, or not trusted, gives no stamp', async () => {
  tsa.isUp = false;
  await expect(fetchTimeStamp(tsa, hash)).rejects.toThrow('status 503');
  tsa.isUp = true;
  await expect(fetchTimeStamp({ url: tsa.url, roots: other.roots }, hash)).rejects.toThrow(
    'not from a trusted authority',
  );
});

it('[tsa-6] a certificate that is for something else as well does not do', () => {
  const check = (of: OpensslTsa, at = new Date()): void =>
    requireTimeStampingCertificate(of.certificate, { others: [], roots: of.roots, at });
  expect(() => check(tsa)).not.toThrow();
  expect(() => check(webServer)).toThrow('for another purpose');
  expect(() => check(tsa, new Date('2020-01-01'))).toThrow('trusted authority');
});

it('[tsa-7] certificates that all issued each other keep nobody waiting', async () => {
  const [twin, ...others] = await makeAmbiguousCertificates(33);
  const check = (carried: readonly X509Certificate[]): void =>
    requireTimeStampingCertificate(twin!, { others: carried, roots: tsa.roots, at: new Date() });
  const startedAt = performance.now();
  expect(() => check(others)).toThrow('trusted authority');
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(() => check([...others, twin!])).toThrow('too many certificates');
});
