import { expect, test, vi } from 'vitest';
import { sendFile, UploadRefused, type SendPiece } from './send-file.ts';

const MEBIBYTE = 1024 * 1024;
const file = new Blob([new Uint8Array(20 * MEBIBYTE)]);

/** Simulates a server that stores bytes, and connections that fail during the given chunks. */
function fakeServer(broken: readonly number[]) {
  let bytes = 0;
  let pieces = 0;
  const ranges: string[] = [];
  const state = () => ({ bytes, sha256: bytes === file.size ? 'whole' : null });
  const send: SendPiece = async (_url, { content, range }) => {
    pieces += 1;
    ranges.push(range);
    if (broken.includes(pieces)) {
      bytes += MEBIBYTE;
      throw new Error('connection lost');
    }
    bytes += content.size;
    return state();
  };
  return { send, ask: async () => state(), ranges };
}

const options = { signal: new AbortController().signal, firstWaitMs: 1, onProgress: () => {} };

test('sends a file in chunks and resumes after an interruption', async () => {
  const { send, ask, ranges } = fakeServer([2]);
  const onBreak = vi.fn<() => void>();
  await sendFile('/there', file, { ...options, send, ask, onBreak });
  expect(onBreak).toHaveBeenCalledTimes(1);
  const eight = 8 * MEBIBYTE;
  expect(ranges).toEqual([
    `bytes 0-${eight - 1}/${file.size}`,
    `bytes ${eight}-${2 * eight - 1}/${file.size}`,
    `bytes ${eight + MEBIBYTE}-${2 * eight + MEBIBYTE - 1}/${file.size}`,
    `bytes ${2 * eight + MEBIBYTE}-${file.size - 1}/${file.size}`,
  ]);
});

test('a rejection is final and has a reason', async () => {
  const { ask } = fakeServer([]);
  const send = () => Promise.reject(new UploadRefused('it is approved already'));
  await expect(sendFile('/there', file, { ...options, send, ask })).rejects.toThrow(
    'it is approved already',
  );
});

test('reports repeated failures, and a later call resumes', async () => {
  const { send, ask, ranges } = fakeServer([1, 2, 3, 4, 5, 6]);
  await expect(sendFile('/there', file, { ...options, send, ask })).rejects.toThrow(
    'connection lost',
  );
  await sendFile('/there', file, { ...options, send, ask });
  expect(ranges.at(6)).toBe(`bytes ${6 * MEBIBYTE}-${14 * MEBIBYTE - 1}/${file.size}`);
});
