-- Passkeys (WebAuthn). An owner is an account of this store, or a person who signs in at a hosted pool or another provider,
-- by the subject of their tokens: then there is no account here, and the passkey proves a second step only.
create table identity.passkey_owner (
  owner_id text primary key,
  account_id text references identity.account on delete cascade,
  -- The user handle of the credentials: random, because authenticators show and store it.
  user_handle bytea not null unique,
  -- Whether a passkey replaces the code at sign-in.
  signs_in boolean not null default false,
  created_at timestamptz not null
);
create index passkey_owner_account on identity.passkey_owner (account_id);

create table identity.passkey (
  id text primary key,
  owner_id text not null references identity.passkey_owner on delete cascade,
  -- base64url, as on the wire.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  aaguid text not null,
  is_synced boolean not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_owner_created on identity.passkey (owner_id, created_at);

-- The hash covers owner and purpose: a challenge is valid for these alone.
create table identity.passkey_challenge (
  challenge_hash bytea primary key,
  owner_id text references identity.passkey_owner on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index passkey_challenge_owner on identity.passkey_challenge (owner_id, created_at);
create index passkey_challenge_expires_at on identity.passkey_challenge (expires_at);

create table identity.passkey_recovery_code (
  owner_id text not null references identity.passkey_owner on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (owner_id, code_hash)
);
