-- The sign-in from which something of OpenID Connect came: when that has ended, it is good for nothing any more.
alter table identity.provider_oidc_entry
  add column sign_in_id text references identity.provider_session on delete cascade;
create index provider_oidc_entry_sign_in on identity.provider_oidc_entry (sign_in_id)
  where sign_in_id is not null;
