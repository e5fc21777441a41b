-- A backup of an older release is loaded into this schema: every new column has a default, and none goes away.

-- Keys of programs that administer the pool. secret_box as in temporary_credential; policy: what the key may do.
create table identity.access_key (
  access_key_id text primary key,
  name text not null,
  secret_box bytea not null,
  policy jsonb not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create unique index access_key_name on identity.access_key (name) where revoked_at is null;

-- Credentials carry a role. Those of older releases have none, which allows nothing: a browser fetches new ones.
-- parent_access_key_id: the program that assumed the role; what it was given ends with its key.
alter table identity.temporary_credential
  alter column identity_id drop not null,
  add column role_arn text not null default '',
  add column session_name text not null default '',
  add column session_policies jsonb,
  add column source_identity text,
  add column parent_access_key_id text references identity.access_key;

-- Standard attributes that have no column, such as given_name.
alter table identity.pool_user add column standard_attributes jsonb not null default '{}';
