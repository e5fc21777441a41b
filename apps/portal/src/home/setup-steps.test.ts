import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { places } from '../ui/navigation.ts';
import { setupSteps } from './setup-steps.ts';

const nothing = {
  ...{ device: false, users: false, roles: false },
  ...{ command: false, backups: false, messages: false },
};

it('each step is done on a page of the portal, and its guide exists', () => {
  for (const { href, guide } of setupSteps(nothing)) {
    expect(places.map((place) => place.href)).toContain(href);
    const file = new URL(`../../../../docs/guides/${guide}.md`, import.meta.url);
    expect({ guide, exists: existsSync(file) }).toEqual({ guide, exists: true });
  }
});

it('backups alone do not complete the last step', () => {
  const done = (setup: object) =>
    setupSteps({ ...nothing, ...setup }).flatMap(({ id, isDone }) => (isDone ? [id] : []));
  expect(done({})).toEqual([]);
  expect(done({ backups: true, device: true })).toEqual(['device']);
  expect(done({ backups: true, messages: true })).toEqual(['operation']);
});
