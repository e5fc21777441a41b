import { expect, test } from 'vitest';
import { sharedBuffersMb } from './shared-buffers.ts';

const MB = 1_048_576;
const GB = 1_024 * MB;

test.each([
  ['a new installation', 0, 16 * GB, 512],
  ['a small one', 60 * MB, 16 * GB, 512],
  ['one that can grow fourfold until its next start', 300 * MB, 16 * GB, 1_200],
  ['a large one, an eighth of the memory', 40 * GB, 8 * GB, 1_024],
  ['a large one on a large machine', 40 * GB, 64 * GB, 2_048],
  ['a new one on a small machine', 0, 2 * GB, 256],
  ['a large one on a very small machine', 40 * GB, 512 * MB, 128],
])('%s', (_case, dataBytes, memoryBytes, expected) => {
  expect(sharedBuffersMb({ dataBytes, memoryBytes })).toBe(expected);
});
