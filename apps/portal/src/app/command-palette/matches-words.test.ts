import { expect, test } from 'vitest';
import { matchesWords } from './matches-words.ts';

test('finds pages and commands by parts of words, with one typing error per word', () => {
  expect(matchesWords('Audit trail', 'trail')).toBe(true);
  expect(matchesWords('Audit trail', 'audti tril')).toBe(true);
  expect(matchesWords('Run restart/service', 'servce')).toBe(true);
  expect(matchesWords('Run restart/service', 'resatr')).toBe(true);
  expect(matchesWords('Devices', 'vic')).toBe(true);
  expect(matchesWords('Devices', 'roles')).toBe(false);
  expect(matchesWords('Home', 'hme')).toBe(false);
});
