import { expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { linkHasEnded } from '../person-links.ts';
import { endedLinkPage } from './ended-link-page.ts';

const browser = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'zh-CN,zh;q=0.9' };

test('returns a page in the browser’s language only for expired links and clients that accept HTML', () => {
  expect(endedLinkPage(linkHasEnded(), browser)).toContain('此链接已失效');
  const english = { ...browser, 'accept-language': 'de' };
  expect(endedLinkPage(linkHasEnded(), english)).toContain('This link has expired');
  expect(endedLinkPage(linkHasEnded(), { accept: '*/*' })).toBeUndefined();
  expect(endedLinkPage(new PortalError('notFound'), browser)).toBeUndefined();
});
