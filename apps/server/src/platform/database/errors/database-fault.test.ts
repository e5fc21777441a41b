import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { isTransientFault, retryWhileAway } from './database-fault.ts';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
const inStatement = (cause: Error): Error => new DrizzleQueryError('select $1', ['EPIPE'], cause);

it.each([
  ['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED'],
  ['08006', '40001', '40P01', '53300', '55P03', '57P01', '57P03', '58030'],
])('lets %s and the following be tried again', (...codes) => {
  const failing = codes.filter((code) => !isTransientFault(inStatement(withCode(code))));
  expect(failing).toEqual([]);
});

it('lets a statement on a connection that ended be tried again', () => {
  const messages = [
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
  ];
  const failing = messages.filter((message) => !isTransientFault(inStatement(new Error(message))));
  expect(failing).toEqual([]);
});

it.each(['22021', '22P05', '23505', '42703', 'XX000', 'P0001'])(
  'lets nothing be tried again that the data caused: %s',
  (code) => {
    expect(isTransientFault(inStatement(withCode(code)))).toBe(false);
  },
);

it('does not believe a value of the statement that names a lost connection', () => {
  const values = ['Connection terminated unexpectedly', 'timeout exceeded'];
  const rejected = new DrizzleQueryError('select $1, $2', values, withCode('22021'));
  const failed = new DrizzleQueryError('select $1, $2', values, new TypeError('not a function'));
  expect([rejected, failed].map(isTransientFault)).toEqual([false, false]);
});

it('tries again until a broken connection is replaced', async () => {
  const faults: unknown[] = [];
  let calls = 0;
  const result = await retryWhileAway(
    async () => {
      calls += 1;
      if (calls < 3) throw inStatement(withCode('EPIPE'));
      return 'done';
    },
    { signal: new AbortController().signal, onFault: (error) => faults.push(error) },
  );
  expect(result).toBe('done');
  expect(faults).toHaveLength(2);
});
