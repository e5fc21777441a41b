-- What OpenID Connect and OAuth keep: grants, codes, tokens, sign-ins and unfinished interactions. Ids are hashed, because
-- most of them are what a client shows; payload_box is sealed with the service key, because it repeats them.
create table identity.provider_oidc_entry (
  kind text not null,
  id_hash bytea not null,
  payload_box bytea not null,
  grant_hash bytea,
  uid_hash bytea,
  user_id text references identity.provider_user on delete cascade,
  -- Only a client without a secret was given it, and only such a client may use it so.
  is_public boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (kind, id_hash)
);
create index provider_oidc_entry_grant on identity.provider_oidc_entry (grant_hash) where grant_hash is not null;
create index provider_oidc_entry_uid on identity.provider_oidc_entry (uid_hash) where uid_hash is not null;
create index provider_oidc_entry_user on identity.provider_oidc_entry (user_id) where user_id is not null;
create index provider_oidc_entry_expires_at on identity.provider_oidc_entry (expires_at);

-- Pairs with which programs get tokens of their own, without a person.
create table identity.provider_access_key (
  access_key_id text primary key,
  app_id text not null references identity.provider_application on delete cascade,
  secret_hash bytea not null,
  scopes text[] not null default '{}',
  created_at timestamptz not null,
  disabled_at timestamptz
);
create index provider_access_key_app on identity.provider_access_key (app_id);

-- What each SAML service provider said of itself. certificate: PEM, of the key with which it signs its requests; null: it
-- does not sign them.
create table identity.provider_saml_service (
  app_id text primary key references identity.provider_application on delete cascade,
  entity_id text not null,
  acs_urls text[] not null check (cardinality(acs_urls) > 0),
  logout_url text,
  certificate text,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index provider_saml_service_entity_id on identity.provider_saml_service (entity_id);

-- The certificate that service providers keep: of the signing key, made once.
create table identity.provider_saml_certificate (
  kid text primary key references identity.provider_key on delete cascade,
  certificate text not null,
  created_at timestamptz not null
);
