import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Agents print the message and read `facts.reason`, according to the wire contract of enrollment. */
const messagesToAgents = new Set(['devices/re-enrollment/request-re-enrollment.ts']);

/** External services, and browsers, whose errors can only be distinguished by their message. */
const ofOtherServices = new Set([
  'chunks/load-chunk.ts',
  'session/cognito/cognito-sign-in-error.ts',
  'session/credentials/credentials-provider.ts',
  'sign-in/sign-in-problem.ts',
]);

const source = join(import.meta.dirname, '../../src');

test('every error 2004 has a reason', () => {
  const without = globSync('**/*.ts', { cwd: source }).filter((path) =>
    readFileSync(join(source, path), 'utf8').includes("PortalError('invalidParameters'"),
  );
  expect(without).toEqual([]);
});

test('a permission error has no message of its own: only the code, or a declared reason', () => {
  const loose = globSync('**/*.ts', { cwd: source })
    .filter((path) => !messagesToAgents.has(path))
    .filter((path) =>
      /PortalError\('(?:noPermission|airBlastTokenExpired)', \{\s*(?:message|facts: \{[^}]*\breason\b)/.test(
        readFileSync(join(source, path), 'utf8'),
      ),
    );
  expect(loose).toEqual([]);
});

test('the portal compares reasons, never messages', () => {
  const portal = join(import.meta.dirname, '../../../portal/src');
  const sentences = globSync('**/*.{ts,tsx}', { cwd: portal })
    .filter((path) => !ofOtherServices.has(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) =>
      /\bmessage\.(?:match|includes|startsWith|endsWith)\(|\.exec\((?:\w+\.)?message\)|\.test\((?:\w+\.)?message\)/.test(
        readFileSync(join(portal, path), 'utf8'),
      ),
    );
  expect(sentences).toEqual([]);
});
