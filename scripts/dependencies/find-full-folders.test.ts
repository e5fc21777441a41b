import { expect, test } from 'vitest';
import { findFullFolders } from './find-full-folders.ts';

const files = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`);

test('a folder with more than forty files of its own is named', () => {
  const paths = [...files('src/devices', 40), ...files('src/devices/list', 41)];
  expect(findFullFolders(paths)).toEqual(['src/devices/list holds 41 files, 40 at most']);
});
