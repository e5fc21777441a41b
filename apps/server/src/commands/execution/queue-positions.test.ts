import { expect, test } from 'vitest';
import { QUEUE_END } from './claim-invocations.ts';
import { QueuePositions } from './queue-positions.ts';

const atEnd = { after: QUEUE_END, late: [] };

test('[queue-1] a look goes on where the last one ended', () => {
  const positions = new QueuePositions();
  const taken = positions.take('run');
  expect(taken).toEqual({ after: null, late: [] });
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual(atEnd);
});

test('[queue-2] a device that connects after the walk has passed it is looked at once', () => {
  const positions = new QueuePositions();
  positions.put('run', { taken: positions.take('run'), reached: atEnd });
  positions.connected('run', ['device']);
  const taken = positions.take('run');
  expect(taken).toEqual({ after: QUEUE_END, late: ['device'] });
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual(atEnd);
});

test('[queue-3] a device that found no free place is looked at again', () => {
  const positions = new QueuePositions();
  positions.put('run', { taken: positions.take('run'), reached: atEnd });
  positions.connected('run', ['device']);
  positions.put('run', { taken: positions.take('run'), reached: null });
  expect(positions.take('run')).toEqual({ after: QUEUE_END, late: ['device'] });
});

test('[queue-4] a run that is begun anew during a look begins at the start', () => {
  const positions = new QueuePositions();
  const taken = positions.take('run');
  positions.rewind('run');
  positions.put('run', { taken, reached: atEnd });
  expect(positions.take('run')).toEqual({ after: null, late: [] });
});
