-- What administrators decide of applications, and what they call access keys.
-- A backup of an older release is loaded into this schema: every new column has a default, and none goes away.
alter table identity.provider_application
  add column protocols text[] not null default '{oidc,cas,saml}',
  add column second_step text not null default 'as-provider' check (second_step in ('as-provider', 'required')),
  add column allowed_origins text[] not null default '{}';

alter table identity.provider_access_key add column name text not null default '';
create index provider_access_key_created_at on identity.provider_access_key (created_at, access_key_id);
