import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * The words that occur in names of devices and people, in models and labels: where a word as typed occurs nowhere, the
 * nearest of these was meant. Kept by triggers (see the migration); a word that no longer occurs stays and finds
 * nothing. Not unique: two transactions may add the same word without waiting for each other.
 */
export const searchWord = pgTable('search_word', { word: text().notNull() }, (table) => [
  index('search_word_by_word').on(sql`${table.word} collate "C"`),
  // Codes have no neighbours worth finding: only what is made of letters is compared by its trigrams.
  index('search_word_trigrams')
    .using('gin', sql`${table.word} gin_trgm_ops`)
    .where(sql`${table.word} !~ '[0-9]'`),
]);
