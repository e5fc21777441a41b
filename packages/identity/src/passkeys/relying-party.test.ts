import { expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

it.each([
  ['https://portal.example.com/identity/x', 'portal.example.com', 'https://portal.example.com'],
  ['https://portal.example.com:8443/', 'portal.example.com', 'https://portal.example.com:8443'],
  ['http://localhost:8080/idp', 'localhost', 'http://localhost:8080'],
])('passkeys at %s are for its host and origin', (address, id, origin) => {
  expect(relyingPartyOf(address)).toMatchObject({ id, origin });
});

it.each([
  'http://portal.example.com',
  'https://192.0.2.1',
  'https://[2001:db8::1]:8443',
  'http://127.0.0.1',
])('browsers offer no passkeys at %s', (address) => {
  expect(relyingPartyOf(address)).toBeUndefined();
});
