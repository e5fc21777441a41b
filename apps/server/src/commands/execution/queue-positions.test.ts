import { expect, test } from 'vitest';
import { QUEUE_END } from './claim-invocations.ts';
import { QueuePositions } from './queue-positions.ts';

const atEnd = { after: QUEUE_END, late: [] };

test('a search continues where the last one ended', () => {
  const positions = new QueuePositions();
  const taken = positions.take('run');
  expect(taken).toEqual({ after: null, late: [] });
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual(atEnd);
});

test('a device that connects after the search has passed it is checked immediately', () => {
  const positions = new QueuePositions();
  positions.put('run', { taken: positions.take('run'), reached: atEnd });
  positions.connected('run', ['device']);
  const taken = positions.take('run');
  expect(taken).toEqual({ after: QUEUE_END, late: ['device'] });
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual(atEnd);
});

test('a device without a free place is checked again', () => {
  const positions = new QueuePositions();
  positions.put('run', { taken: positions.take('run'), reached: atEnd });
  positions.connected('run', ['device']);
  positions.put('run', { taken: positions.take('run'), reached: null });
  expect(positions.take('run')).toEqual({ after: QUEUE_END, late: ['device'] });
});

test('a run that is rewound during a search starts at the beginning', () => {
  const positions = new QueuePositions();
  const taken = positions.take('run');
  positions.rewind('run');
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual({ after: null, late: [] });
});
