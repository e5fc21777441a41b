import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { helpTopicOf, helpTopics } from './help-topics.ts';
import english from './messages/en.json' with { type: 'json' };

const routes = readFileSync(new URL('../app/route-tree.ts', import.meta.url), 'utf8');
const redirecting = ['/audit-trail', '/signin', '/uam/elevations'];
/** Pages of the portal. */
const paths = [...routes.matchAll(/path: '([^']+)'/g)]
  .map(([, path = '']) => path.replaceAll(/\$\w+/g, 'x'))
  .filter((path) => !redirecting.includes(path));

it('every page has a topic', () => {
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => helpTopicOf(path) === undefined)).toEqual([]);
});

it.each(helpTopics)('the topic $id has a text, and its guide exists', ({ id, guide }) => {
  expect(english).toHaveProperty([`help.${id}.what`]);
  expect(english).toHaveProperty([`help.${id}.how`]);
  if (guide === undefined) return;
  const file = new URL(`../../../../docs/guides/${guide}.md`, import.meta.url);
  expect({ guide, exists: existsSync(file) }).toEqual({ guide, exists: true });
});

it('the page of one device has another topic than the list', () => {
  expect(helpTopicOf('/devices')?.id).toBe('devices');
  expect(helpTopicOf('/devices/x')?.id).toBe('device');
  expect(helpTopicOf('/devices/x', 'overview')?.id).toBe('device');
  expect(helpTopicOf('/commands/restart/agent')?.id).toBe('commands');
});

it('a tab of a page can have its own topic, which other pages do not have', () => {
  expect(helpTopicOf('/devices/x', 'files')).toMatchObject({ id: 'device-files' });
  expect(helpTopicOf('/devices', 'files')?.id).toBe('devices');
  expect(helpTopicOf('/cases/x', 'files')?.id).toBe('cases');
});
