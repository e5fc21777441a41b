import { expect, it } from 'vitest';
import { changedScheduleFacts } from './changed-schedule-facts.ts';

const facts = { name: 'a', document: 'b', subDocuments: 'c', parameters: 'd' };

it('names each changed part once', () => {
  const now = { ...facts, document: 'x', subDocuments: 'y', parameters: 'z' };
  expect(changedScheduleFacts({ facts }, { facts: now })).toEqual([
    'commands.document.title',
    'commands.schedules.parameters',
  ]);
  expect(changedScheduleFacts({ facts }, { facts })).toEqual([]);
});
