import type { Deliverable } from '../anchors/deliver-anchors.ts';
import { readBlocks } from '../data/sealing/block-queries.ts';
import { readStreamedEvents, type StreamSources } from './read-streamed-events.ts';
import type { StreamSink } from './stream-sink.ts';

/**
 * A receiver whose position is a block: it is stored after all events of the block were accepted, so that a server that
 * was killed in between sends the block again.
 */
export const streamTarget = (
  sources: StreamSources,
  sink: StreamSink,
  onSent: (events: number) => void,
): Deliverable => ({
  position: `stream-${sink.name}`,
  everyMs: 0,
  newestOnly: false,
  blocksAtOnce: 1,
  async deliver(blocks, tx) {
    for (const { number } of blocks) {
      const [block] = await readBlocks(tx, number - 1, 1);
      if (block === undefined) throw new Error(`block ${number} is missing`);
      for await (const events of readStreamedEvents(sources, block)) {
        await sink.send(events);
        onSent(events.length);
      }
    }
  },
});
