import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGlossary } from './read-glossary.ts';

const terms = readGlossary(
  readFileSync(new URL('../../../../docs/glossary.md', import.meta.url), 'utf8'),
);

test('every term has a word and a meaning in both languages', () => {
  expect(terms.length).toBeGreaterThan(100);
  for (const { english, chinese, meaning } of terms) {
    expect({ english, isWhole: english !== '' && meaning.en !== '' }).toEqual({
      english,
      isWhole: true,
    });
    expect({ english, chinese }).toEqual({
      english,
      chinese: expect.stringMatching(/[\u4e00-\u9fff]/),
    });
    expect({ english, zh: meaning['zh-CN'] }).toEqual({
      english,
      zh: expect.stringMatching(/[\u4e00-\u9fff]/),
    });
  }
});

test('every English term appears once, in alphabetical order', () => {
  const words = terms.map(({ english }) => english.toLowerCase());
  expect(new Set(words).size).toBe(words.length);
  expect(words).toEqual(words.toSorted());
});

test('rejects a row with a missing column', () => {
  const table = '| a | b |\n| --- | --- |\n| concept | English | Chinese | what | not |';
  expect(() => readGlossary(table)).toThrow('Expected 6 columns');
});
