import { expect, test } from 'vitest';
import { CliError } from '../cli-error.ts';
import { portalUrlOf } from './portal-url.ts';

test.each([
  ['portal.example.com', 'https://portal.example.com'],
  ['https://portal.example.com/devices?x=1', 'https://portal.example.com'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('the address of %s is %s', (text, url) => expect(portalUrlOf(text)).toBe(url));

test.each([
  'http://portal.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'https://user:secret@portal.example.com',
  'file:///etc/passwd',
  'https://',
  '',
])('no token is sent to %s', (text) => expect(() => portalUrlOf(text)).toThrow(CliError));
