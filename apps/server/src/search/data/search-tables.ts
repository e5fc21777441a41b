import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Words in names of devices and people, in models, and in labels, for the correction of typing
 * errors: a word that does not occur is replaced by the most similar of these. Maintained by
 * triggers (see the migration). A word that no longer occurs is kept and finds nothing. Not unique,
 * so that two transactions can add the same word without waiting for each other.
 */
export const searchWord = pgTable('search_word', { word: text().notNull() }, (table) => [
  index('search_word_by_word').on(sql`${table.word} collate "C"`),
  // Codes have no useful neighbors: only words made of letters are compared by trigrams.
  index('search_word_trigrams')
    .using('gin', sql`${table.word} gin_trgm_ops`)
    .where(sql`${table.word} !~ '[0-9]'`),
]);
