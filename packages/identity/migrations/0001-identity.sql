-- Everything of the identity service lives in this schema; no table of the portal refers to it.

-- Random keys of the service: the pepper of all stored hashes, and the key of stored secrets.
create table identity.service_key (
  purpose text primary key,
  secret bytea not null,
  created_at timestamptz not null
);

-- RS256 key pairs. The newest of a use signs; older ones stay in the key set until they are removed.
create table identity.user_pool_key (
  kid text primary key,
  token_use text not null check (token_use in ('id', 'access')),
  private_key text not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table identity.app_client (
  client_id text primary key,
  name text not null,
  auth_flows text[] not null,
  user_existence_errors text not null default 'LEGACY' check (user_existence_errors in ('LEGACY', 'ENABLED')),
  created_at timestamptz not null
);

create table identity.pool_user (
  sub uuid primary key,
  username text not null,
  email text,
  email_verified boolean not null default false,
  phone_number text,
  phone_number_verified boolean not null default false,
  name text,
  custom_attributes jsonb not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index pool_user_username on identity.pool_user (lower(username));
create unique index pool_user_email on identity.pool_user (lower(email));
create unique index pool_user_phone_number on identity.pool_user (phone_number);

create table identity.user_group (
  name text primary key,
  description text,
  precedence integer,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

create table identity.group_membership (
  sub uuid not null references identity.pool_user on delete cascade,
  group_name text not null references identity.user_group on delete cascade,
  created_at timestamptz not null,
  primary key (sub, group_name)
);
create index group_membership_group on identity.group_membership (group_name);

-- One row per Session text handed to a client; an answer uses it up.
create table identity.auth_session (
  session_hash bytea primary key,
  client_id text not null,
  sub uuid references identity.pool_user on delete cascade,
  username text not null,
  identifier text not null,
  challenge_name text not null,
  rounds jsonb not null,
  challenge_metadata text,
  private_parameters jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index auth_session_expires_at on identity.auth_session (expires_at);

create table identity.login_code (
  code_id uuid primary key,
  sub uuid not null references identity.pool_user on delete cascade,
  code_hash bytea not null,
  channel text not null check (channel in ('email', 'sms')),
  tries_left integer not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index login_code_sub on identity.login_code (sub) where closed_at is null;
create index login_code_expires_at on identity.login_code (expires_at);

-- expires_at is the absolute end of the session: it counts from sign-in and refreshing does not move it.
create table identity.refresh_token (
  token_hash bytea primary key,
  origin_jti uuid not null,
  client_id text not null,
  sub uuid not null references identity.pool_user on delete cascade,
  event_id uuid not null,
  auth_time timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index refresh_token_origin on identity.refresh_token (origin_jti);
create index refresh_token_sub on identity.refresh_token (sub);
create index refresh_token_expires_at on identity.refresh_token (expires_at);

-- Kept as long as an id or access token of that sign-in may live.
create table identity.revoked_origin (
  origin_jti uuid primary key,
  revoked_at timestamptz not null,
  expires_at timestamptz not null
);
create index revoked_origin_expires_at on identity.revoked_origin (expires_at);

-- spent_into: the identity that took over from this guest.
create table identity.identity (
  identity_id text primary key,
  created_at timestamptz not null,
  used_at timestamptz not null,
  spent_into text
);
create index identity_used_at on identity.identity (used_at);

create table identity.identity_login (
  provider text not null,
  subject text not null,
  identity_id text not null references identity.identity on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index identity_login_identity on identity.identity_login (identity_id);

-- secret_box: the secret key, encrypted with the service key; SigV4 needs it in clear to check a signature.
create table identity.temporary_credential (
  access_key_id text primary key,
  secret_box bytea not null,
  session_token_hash bytea not null,
  identity_id text not null references identity.identity on delete cascade,
  sub uuid references identity.pool_user on delete cascade,
  origin_jti uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index temporary_credential_expires_at on identity.temporary_credential (expires_at);
create index temporary_credential_identity on identity.temporary_credential (identity_id);

create table identity.rate_limit (
  key_hash bytea primary key,
  window_ends_at timestamptz not null,
  hits integer not null
);
create index rate_limit_window on identity.rate_limit (window_ends_at);
