import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, it } from 'vitest';
import { signMqttUrl } from './sign-mqtt-url.ts';

const input = {
  credentials: {
    accessKeyId: 'ASIAEXAMPLE000000000',
    secretAccessKey: 'secret/+=',
    sessionToken: 'to/ken+=',
  },
  region: 'us-east-1',
  host: 'portal.example:8080',
  path: '/mqtt',
  secure: true,
  nowMs: Date.UTC(2026, 10, 20, 16, 27, 40),
};

it('produces the same signature as the AWS signer', async () => {
  const url = new URL(signMqttUrl(input));
  const signer = new SignatureV4({
    service: 'iotdevicegateway',
    region: input.region,
    sha256: Sha256,
    credentials: {
      accessKeyId: input.credentials.accessKeyId,
      secretAccessKey: input.credentials.secretAccessKey,
    },
  });
  const request = new HttpRequest({
    method: 'GET',
    protocol: 'wss:',
    hostname: input.host,
    path: '/mqtt',
    headers: { host: input.host },
  });
  const presigned = await signer.presign(request, {
    expiresIn: 3_600,
    signingDate: new Date(input.nowMs),
  });
  expect(url.searchParams.get('X-Amz-Signature')).toBe(presigned.query?.['X-Amz-Signature']);
  expect(url.searchParams.get('X-Amz-Security-Token')).toBe('to/ken+=');
  expect(url.protocol).toBe('wss:');
});

it('rejects a lifetime of more than a week', () => {
  expect(() => signMqttUrl({ ...input, lifetimeSeconds: 604_801 })).toThrow(RangeError);
});

it.each(['', 'us east', 'evil.example/'])('rejects %j as region', (region) => {
  expect(() => signMqttUrl({ ...input, region })).toThrow(TypeError);
});
