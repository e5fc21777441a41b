-- blocks writes: of people, for about a second with 500,000 of them
CREATE INDEX "person_mailbox" ON "person" USING btree (translate(split_part(lower("email"), '@', 1), '._-', '') collate "C");--> statement-breakpoint
-- Inserted in groups, because people share most of their forms. A search reads at most 64 kB that are not inserted yet.
ALTER INDEX "person_search_words" SET (fastupdate = on, gin_pending_list_limit = 64);
--> statement-breakpoint
-- The local part of the address as a whole is in the index person_mailbox.
CREATE OR REPLACE FUNCTION person_words(name text, username text, email text) RETURNS tsvector LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  forms text[] := '{}';
  word text;
BEGIN
  FOREACH word IN ARRAY search_tokens(name) LOOP
    IF length(word) BETWEEN 1 AND 64 THEN forms := forms || search_forms(word); END IF;
  END LOOP;
  FOREACH word IN ARRAY search_tokens(username || ' ' || split_part(coalesce(email, ''), '@', 1)) LOOP
    IF length(word) BETWEEN 1 AND 64 THEN forms := forms || search_fold(word); END IF;
  END LOOP;
  -- Without duplicates, which array_to_tsvector removes.
  RETURN array_to_tsvector(array_remove(array_remove(forms, ''), '~'));
END $$;
