import { customType, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The forms by which a person is found: the words of the name and username without accents, with German umlauts written
 * out, by sound, and in pinyin, and the local part of the email address (`person_words` in the migration). Maintained by
 * triggers on `person`, so that it changes and is erased with the person. A table of its own, because a generated column
 * would rewrite all people.
 */
export const personSearch = pgTable(
  'person_search',
  {
    personId: uuid('person_id').primaryKey(),
    words: tsvector().notNull(),
  },
  (table) => [index('person_search_words').using('gin', table.words)],
);

/** Mandarin readings of Chinese characters, the usual one with rank 1. */
export const pinyinReading = pgTable('pinyin_reading', {
  character: text().primaryKey(),
  syllables: text().array().notNull(),
});
