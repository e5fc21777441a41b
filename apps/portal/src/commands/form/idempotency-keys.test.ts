import { describe, expect, test } from 'vitest';
import { createIdempotencyKeys } from './idempotency-keys.ts';

function counting() {
  let last = 0;
  return createIdempotencyKeys(() => `key-${(last += 1)}`);
}

describe('[idempotency] one press, one run', () => {
  test('[idempotency-1] a double click sends the same key twice', () => {
    const keys = counting();
    expect(keys.keyFor({ command: 'a' })).toBe(keys.keyFor({ command: 'a' }));
  });

  test('[idempotency-2] after a run the next press makes another', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle(null);
    expect(keys.keyFor({ command: 'a' })).not.toBe(first);
  });

  test('[idempotency-3] a press without answer keeps its key, so that pressing again cannot run it twice', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle('noConnection');
    expect(keys.keyFor({ command: 'a' })).toBe(first);
    expect(keys.keyFor({ command: 'b' })).not.toBe(first);
  });

  test('[idempotency-4] a refused press gets a new key', () => {
    const keys = counting();
    const first = keys.keyFor({ command: 'a' });
    keys.settle('commandHasNoDevice');
    expect(keys.keyFor({ command: 'a' })).not.toBe(first);
  });
});
