CREATE TABLE "search_word" (
	"word" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "search_word_by_word" ON "search_word" USING btree ("word" collate "C");--> statement-breakpoint
CREATE INDEX "search_word_trigrams" ON "search_word" USING gin ("word" gin_trgm_ops) WHERE "search_word"."word" !~ '[0-9]';--> statement-breakpoint
CREATE INDEX "device_instance_by_address" ON "device_instance" USING btree ("ip_address" text_pattern_ops) WHERE "device_instance"."state" = 'current';--> statement-breakpoint
CREATE INDEX "device_instance_by_host_name" ON "device_instance" USING btree (lower("host_name")) WHERE "device_instance"."state" = 'current';--> statement-breakpoint
-- The words of a text: cut at spaces and ASCII punctuation, whatever the database's locale holds for a letter. Short
-- ones, and numbers, are no words that somebody mistypes.
CREATE FUNCTION search_words(of_text text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT w FROM string_to_table(translate(of_text, E'\t!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 33)), ' ') AS w
  WHERE length(w) BETWEEN 3 AND 32 AND w !~ '^[0-9]+$'
$$;
--> statement-breakpoint
CREATE FUNCTION keep_words_of_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_word (word)
  SELECT f.word FROM (
    SELECT DISTINCT w AS word FROM fresh d, search_words(d.search_text) w WHERE w <> lower(coalesce(d.serial_number, ''))) f
  WHERE NOT EXISTS (SELECT FROM search_word s WHERE s.word COLLATE "C" = f.word);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION keep_words_of_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_word (word)
  SELECT f.word FROM (
    SELECT DISTINCT w AS word FROM fresh p, search_words(lower(concat_ws(' ', p.name, p.username, p.email))) w) f
  WHERE NOT EXISTS (SELECT FROM search_word s WHERE s.word COLLATE "C" = f.word);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION keep_words_of_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_word (word)
  SELECT f.word FROM (
    SELECT DISTINCT w AS word FROM fresh d, search_words(lower(concat_ws(' ', d.name, d.description))) w) f
  WHERE NOT EXISTS (SELECT FROM search_word s WHERE s.word COLLATE "C" = f.word);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER device_words_inserted AFTER INSERT ON device
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_devices();
--> statement-breakpoint
CREATE TRIGGER device_words_updated AFTER UPDATE ON device
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_devices();
--> statement-breakpoint
CREATE TRIGGER person_words_inserted AFTER INSERT ON person
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_people();
--> statement-breakpoint
CREATE TRIGGER person_words_updated AFTER UPDATE ON person
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_people();
--> statement-breakpoint
CREATE TRIGGER document_words_inserted AFTER INSERT ON document
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_documents();
--> statement-breakpoint
CREATE TRIGGER document_words_updated AFTER UPDATE ON document
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_words_of_documents();
--> statement-breakpoint
INSERT INTO search_word (word)
SELECT DISTINCT w FROM device d, search_words(d.search_text) w WHERE w <> lower(coalesce(d.serial_number, ''))
UNION SELECT w FROM person p, search_words(lower(concat_ws(' ', p.name, p.username, p.email))) w
UNION SELECT w FROM document d, search_words(lower(concat_ws(' ', d.name, d.description))) w;
--> statement-breakpoint
-- Their pending list would be read by every search that mends.
ALTER INDEX search_word_trigrams SET (fastupdate = off);
--> statement-breakpoint
-- How many people a piece of text matches is asked of the planner's histogram.
ALTER INDEX person_text ALTER COLUMN 1 SET STATISTICS 1000;
