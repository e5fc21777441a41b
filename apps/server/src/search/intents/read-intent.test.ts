import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandPhrases } from './command-words.ts';
import { cutHan } from './lexicon.ts';
import { isRequestWord, readIntent } from './read-intent.ts';

const read = (text: string, corrects = false) => {
  const { commands, tokens, rest } = readIntent(text, corrects);
  return { commands, filters: tokens.map(({ key, values }) => `${key}=${values.join()}`), rest };
};

test('reads commands, states, countries, and what is left, in both languages', () => {
  expect(read('please reboot the device LK2DE00151')).toEqual({
    commands: ['restart/device'],
    filters: [],
    rest: ['LK2DE00151'],
  });
  expect(read('重启LK2DE00151')).toMatchObject({
    commands: ['restart/device'],
    rest: ['LK2DE00151'],
  });
  expect(read('offline K310 Germany')).toMatchObject({
    filters: ['connectivity=offline', 'country=DE'],
    rest: ['K310'],
  });
  expect(read('德国和法国的离线设备')).toMatchObject({
    filters: ['country=DE,FR', 'connectivity=offline'],
  });
  expect(read('restart service')).toMatchObject({ commands: ['restart/service'] });
});

test('reads two letters as a country only in upper case', () => {
  expect(read('offline DE').filters).toEqual(['connectivity=offline', 'country=DE']);
  expect(read('offline is in').filters).toEqual(['connectivity=offline']);
});

test('corrects a word only if asked to, and only to one meaning', () => {
  expect(read('offlne germny').filters).toEqual([]);
  expect(read('offlne germny', true).filters).toEqual(['connectivity=offline', 'country=DE']);
  expect(read('anna weber', true).rest).toEqual(['anna', 'weber']);
});

test('knows what people call commands, so that "reboot" is not corrected to another word', () => {
  expect(['reboot', 'restart', '重启', 'germany', 'offline'].every(isRequestWord)).toBe(true);
  expect(isRequestWord('weber')).toBe(false);
});

test('each phrase names one command', () => {
  const commands = Map.groupBy(commandPhrases, ([phrase]) => phrase);
  for (const [phrase, found] of commands) {
    expect(new Set(found.map(([, command]) => command)).size, phrase).toBe(1);
  }
});

test('cuts Chinese text without losing a character, and reads any text in bounded time', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[重启离线德国设备王伟的a]{0,40}$/), (text) => {
      expect(cutHan(text).join('')).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      const { commands, tokens, rest } = readIntent(text, true);
      expect(commands.length + tokens.length + rest.length).toBeLessThanOrEqual(24);
    }),
  );
  for (const piece of ['a', '重', ' a', '重a', '\u0301', '（']) {
    const startedMs = performance.now();
    readIntent(piece.repeat(500), true);
    expect(performance.now() - startedMs).toBeLessThan(500);
  }
});
