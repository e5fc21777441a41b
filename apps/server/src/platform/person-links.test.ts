import { PortalError } from '@deviceportal/contract/errors';
import { expect, it } from 'vitest';
import { createPersonLinks, type LinkedFile, type LinkRequest } from './person-links.ts';
import { createUrlSigner } from './files/url-signer.ts';
import type { Viewer } from './viewer.ts';

const file: LinkedFile = { purpose: 'export', subject: 'a.csv', mayOpen: async () => true };
const holder = { userId: 'u1', signInId: 's1', accessGrantIds: ['e1', 'e2'], rights: ['r1'] };
const open = new Set(['s1', 's2']);
let now = new Date('2026-11-20T12:00:00Z');

const links = createPersonLinks({
  signer: createUrlSigner(Buffer.alloc(32, 3), () => now),
  isHolderIn: async ({ signInId }) => signInId === undefined || open.has(signInId),
  findSigner: async () => ({ userId: 'signer' }) as Viewer,
});

const requestOf = (query: string): LinkRequest => ({
  url: `/exports/a.csv?${query}`,
  host: 'portal.example',
  address: '127.0.0.1',
  query: Object.fromEntries(new URLSearchParams(query)),
});
const outcomeOf = (query: string, asked = file): Promise<string> =>
  links.require(asked, requestOf(query)).then(
    () => 'opened',
    (error: unknown) => (error instanceof PortalError ? error.errorName : String(error)),
  );

it('[person-link-1] opens only its file, only for its user', async () => {
  const query = links.sign(file, holder);
  expect(await outcomeOf(query)).toBe('opened');
  expect(await outcomeOf(query, { ...file, subject: 'b.csv' })).toBe('notFound');
  expect(await outcomeOf(query, { ...file, purpose: 'artifact' })).toBe('notFound');
  for (const [from, to] of [
    ['user=u1', 'user=u2'],
    ['session=s1', 'session=s2'],
    ['session=s1&', ''],
    ['access=e1%2Ce2&', ''],
    ['e1%2Ce2', 'e1'],
    ['rights=r1&', ''],
    ['rights=r1', 'rights=r2'],
    ['signature=', 'signature=x'],
    [/expires=(\d)/, 'expires=9$1'],
  ] as const) {
    expect(await outcomeOf(query.replace(from, to))).toBe('notFound');
  }
  expect(await outcomeOf('')).toBe('notFound');
});

it('[person-link-2] expires after an hour', async () => {
  const query = links.sign(file, holder);
  now = new Date(now.getTime() + 3_599_000);
  expect(await outcomeOf(query)).toBe('opened');
  now = new Date(now.getTime() + 2_000);
  expect(await outcomeOf(query)).toBe('noPermission');
});

it('ends with its sign-in', async () => {
  const query = links.sign(file, holder);
  open.delete('s1');
  expect(await outcomeOf(query)).toBe('noPermission');
  open.add('s1');
});

it('a user who signed it with temporary credentials needs permission to open the file', async () => {
  const signed = 'X-Amz-Signature=00';
  const asked = (userId: string) => ({
    ...file,
    mayOpen: async (viewer: Viewer) => viewer.userId === userId,
  });
  expect(await outcomeOf(signed, asked('signer'))).toBe('opened');
  expect(await outcomeOf(signed, asked('other'))).toBe('notFound');
});
