import { Readable } from 'node:stream';

/** The file that comes with a request; an empty one where nothing comes. */
export const contentOf = (body: unknown): Readable =>
  body instanceof Readable ? body : Readable.from([]);
