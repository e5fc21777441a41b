import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalMessageSchema } from '@deviceportal/device-protocol/journal';
import { isPlainJournal } from './plain-journal.ts';

const uuid = fc.uuid({ version: [4, 7] });
const at = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const base = { seq: fc.integer({ min: 1 }), at };
const state = fc.constantFrom('Success', 'Failed', 'TimedOut');
const entry = fc.oneof(
  fc.record({ ...base, kind: fc.constant('invocation-started'), invocationId: uuid }),
  fc.record({
    ...base,
    kind: fc.constant('invocation-output'),
    invocationId: uuid,
    stream: fc.constantFrom('stdout', 'stderr'),
    offset: fc.nat(),
    text: fc.string(),
  }),
  fc.record({
    ...base,
    kind: fc.constant('invocation-result'),
    invocationId: uuid,
    state,
    statusDetails: state,
    responseCode: fc.integer(),
    startedAt: at,
    endedAt: at,
    outputTruncated: fc.boolean(),
  }),
);
const message = fc.record({
  instanceId: fc.string(),
  epoch: uuid,
  entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
});

/** Changes, removes, or adds one field at a random place. */
const broken = fc
  .tuple(message, fc.nat(), fc.string(), fc.anything(), fc.boolean())
  .map(([valid, pick, name, value, isNew]) => {
    const copy = structuredClone(valid) as unknown as Record<string, unknown>;
    const [first] = copy['entries'] as Record<string, unknown>[];
    const target = pick % 2 === 0 || first === undefined ? copy : first;
    const fields = Object.keys(target);
    const field = isNew ? name : (fields[pick % fields.length] ?? name);
    if (value === undefined) delete target[field];
    else Object.defineProperty(target, field, { value, enumerable: true, configurable: true });
    return copy;
  });

test('accepts only messages that the schema accepts unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(message, broken), (value) => {
      if (!isPlainJournal(value)) return;
      expect(journalMessageSchema.parse(value)).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
});

test('accepts the messages of an agent', () => {
  const entries = ['Success', 'Failed'].map((end, index) => ({
    seq: index + 1,
    at: '2026-11-20T10:11:12.013Z',
    kind: 'invocation-result',
    invocationId: '01932f1e-6f5e-7a3c-9a60-0123456789ab',
    state: end,
    statusDetails: end,
    responseCode: index,
    startedAt: '2026-11-20T10:11:11.000Z',
    endedAt: '2026-11-20T10:11:12.000Z',
    outputTruncated: false,
  }));
  const epoch = '01932f1e-6f5e-4a3c-9a60-0123456789ab';
  expect(isPlainJournal({ instanceId: 'mi-0123456789abcdef0', epoch, entries })).toBe(true);
  expect(isPlainJournal({ instanceId: 'mi-0123456789abcdef0', epoch, entries: [] })).toBe(false);
});
