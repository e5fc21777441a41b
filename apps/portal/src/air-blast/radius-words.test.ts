import { expect, it } from 'vitest';
import { radiusWords } from './radius-words.ts';

it('devices without a country do not count as a country', () => {
  const values: unknown[] = [];
  radiusWords(
    (key, given) => {
      values.push(given);
      return key;
    },
    {
      devices: 3,
      people: 1,
      countries: [
        { country: 'DE', count: 2 },
        { country: '', count: 1 },
      ],
      models: [],
    },
  );
  expect(values).toEqual([{ devices: 3, people: 1, countries: 1 }]);
});
