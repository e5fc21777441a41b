-- One table of access keys for both kinds of program, in place of one for each.
-- use: signed-calls: the secret signs requests, and must be readable to check them (secret_box); policy says what the key
-- may do. client-credentials: the secret is shown for a token of an application (secret_hash, scopes).
alter table identity.access_key
  alter column secret_box drop not null,
  alter column policy drop not null,
  add column use text not null default 'signed-calls' check (use in ('signed-calls', 'client-credentials')),
  add column app_id text references identity.provider_application on delete cascade,
  add column secret_hash bytea,
  add column scopes text[] not null default '{}',
  add column lease text,
  add column expires_at timestamptz;
alter table identity.access_key alter column use drop default;
alter table identity.access_key
  add constraint access_key_has_what_its_use_needs check (case use
    when 'signed-calls' then secret_box is not null and policy is not null and secret_hash is null and app_id is null
    else secret_hash is not null and app_id is not null and secret_box is null and policy is null end);

-- Programs of one application may have keys of one name.
drop index identity.access_key_name;
create unique index access_key_name on identity.access_key (name) where revoked_at is null and use = 'signed-calls';

insert into identity.access_key
  (access_key_id, use, name, app_id, secret_hash, scopes, lease, expires_at, created_at, revoked_at)
select access_key_id, 'client-credentials', name, app_id, secret_hash, scopes, lease, expires_at, created_at, disabled_at
  from identity.provider_access_key;
drop table identity.provider_access_key;

create index access_key_app on identity.access_key (app_id) where app_id is not null;
create index access_key_by_lease on identity.access_key (lease) where lease is not null;
create index access_key_created_at on identity.access_key (created_at, access_key_id);
