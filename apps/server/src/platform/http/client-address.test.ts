import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddressFinder } from './client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

it.each([
  ['nobody is believed', false, '203.0.113.7', '10.0.0.1'],
  ['every proxy is believed', true, '203.0.113.7', '203.0.113.7'],
  ['a named network is believed', ['10.0.0.0/8'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['another network is not', ['192.168.0.0/16'], '203.0.113.7', '10.0.0.1'],
] as const)('%s', (_what, trusted, forwarded, expected) => {
  expect(clientAddressFinder(trusted)(request('10.0.0.1', forwarded))).toBe(expected);
});

it('a closed socket has no address', () => {
  expect(clientAddressFinder(['10.0.0.0/8'])(request(undefined, '203.0.113.7'))).toBe('');
});
