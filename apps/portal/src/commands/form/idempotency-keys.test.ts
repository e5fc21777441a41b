import { describe, expect, test } from 'vitest';
import { createIdempotencyKeys } from './idempotency-keys.ts';

function counting() {
  let last = 0;
  return createIdempotencyKeys(() => `key-${(last += 1)}`);
}

describe('idempotency keys', () => {
  test('a double click sends the same key twice', () => {
    const keys = counting();
    expect(keys.keyFor({ command: 'a' })).toBe(keys.keyFor({ command: 'a' }));
  });

  test('a press after a run gets a new key', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle(null);
    expect(keys.keyFor({ command: 'a' })).not.toBe(first);
  });

  test('a press without a response keeps its key, so that a retry cannot run twice', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle('noConnection');
    expect(keys.keyFor({ command: 'a' })).toBe(first);
    expect(keys.keyFor({ command: 'b' })).not.toBe(first);
  });

  test('a press after a rejection gets a new key', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle('commandHasNoDevice');
    expect(keys.keyFor({ command: 'a' })).not.toBe(first);
  });
});
