/**
 * During a rolling upgrade, servers of the release before run on the database that this release has
 * migrated. Update this file after each release: docs/guides/upgrading.md.
 */
export const releaseBefore = {
  /** Its last migrations: `tag` in `migrations/meta/_journal.json`, and the file of the identity service. */
  migrations: { server: '0068_erasures', identity: '0025-words-of-the-glossary.sql' },
  /** Schema of its job queue: `pgboss.schema` in the package of pg-boss. */
  jobsSchema: 43,
  /** What it no longer used, as its own `retired` listed it: this release can drop it. */
  unused: [] as readonly string[],
};

/** What the code of this release no longer uses: the next release can drop it. */
export const retired: readonly string[] = [];

/** New rules of the schema that the release before keeps anyway, with the reason. */
export const kept: Readonly<Record<string, string>> = {
  'new rule: trigger public.finding: AFTER DELETE ON public.finding REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings()':
    'queues the devices for the counters of the fleet, and rejects nothing',
  'new rule: trigger public.finding: AFTER INSERT ON public.finding REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings()':
    'queues the devices for the counters of the fleet, and rejects nothing',
  'new rule: trigger public.finding: AFTER UPDATE ON public.finding REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings()':
    'queues the devices for the counters of the fleet, and rejects nothing',
  'new rule: trigger public.person: AFTER DELETE ON public.person REFERENCING OLD TABLE AS earlier FOR EACH STATEMENT EXECUTE FUNCTION forget_deleted_people()':
    'deletes the forms of the name in person_search, and rejects nothing',
  'new rule: trigger public.person: AFTER INSERT ON public.person REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_people_found()':
    'writes the forms of the name to person_search, and rejects nothing',
  'new rule: trigger public.person: AFTER UPDATE ON public.person REFERENCING OLD TABLE AS earlier NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_changed_people_found()':
    'writes the forms of a changed name to person_search, and rejects nothing',
  "new rule: trigger public.portal_user: AFTER UPDATE OF status ON public.portal_user FOR EACH ROW WHEN (((old.status = 'Activated'::text) AND (new.status <> 'Activated'::text))) EXECUTE FUNCTION end_api_tokens()":
    'ends the API tokens of the user, and rejects nothing',
  'new rule: trigger public.portal_user: BEFORE UPDATE OF email, phone ON public.portal_user FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.phone IS DISTINCT FROM new.phone))) EXECUTE FUNCTION note_contact_change()':
    'notes when an address changed, and rejects nothing',
};
