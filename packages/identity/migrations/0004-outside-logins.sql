-- People who signed in at another provider: they are no users of the pool, so their credentials carry who they are, as
-- the login said. A backup of an older release is loaded into this schema: every new column may be null.
alter table identity.temporary_credential
  add column outside_subject text,
  add column outside_username text,
  add column outside_groups text[];
