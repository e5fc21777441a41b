import { Readable } from 'node:stream';

/** The file in a request; an empty stream if there is none. */
export const contentOf = (body: unknown): Readable =>
  body instanceof Readable ? body : Readable.from([]);
