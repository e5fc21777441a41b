import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { Executor } from '../platform/database/database.ts';
import { Turn } from '../platform/process/turn.ts';
import { readEvents, type TerminalRow } from './data/terminal-queries.ts';

const EVENTS_AT_ONCE = 200;

/** The recording of a session, asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/), line by line. */
export async function* recordingLines(
  on: Executor,
  session: Pick<TerminalRow, 'id' | 'columns' | 'rows' | 'openedAt'>,
): AsyncGenerator<string> {
  const { id: sessionId, columns, rows, openedAt } = session;
  const timestamp = Math.floor(openedAt.getTime() / 1_000);
  yield `${JSON.stringify({ version: 2, width: columns, height: rows, timestamp })}\n`;
  const decoder = new StringDecoder('utf8');
  const turn = new Turn();
  let after = 0;
  for (;;) {
    const events = await readEvents(on, { sessionId, after, limit: EVENTS_AT_ONCE });
    for (const { id, kind, afterMs, data } of events) {
      after = id;
      const text = kind === 'size' ? data.toString() : decoder.write(data);
      if (text !== '')
        yield `${JSON.stringify([afterMs / 1_000, kind === 'size' ? 'r' : 'o', text])}\n`;
      await turn.pause();
    }
    if (events.length < EVENTS_AT_ONCE) return;
  }
}

export async function digestOfRecording(
  on: Executor,
  session: Parameters<typeof recordingLines>[1],
): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of recordingLines(on, session)) hash.update(line);
  return hash.digest('hex');
}
