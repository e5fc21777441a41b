import { createHash } from 'node:crypto';

/** What is stored of a random secret. */
export const digestOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');
