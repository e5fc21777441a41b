-- A backup of an older release is loaded into this schema: every new column has a default, and none goes away.

-- Keys are kept sealed with the installation key (AES-256-GCM), so that the database alone opens nothing. Rows of older
-- releases hold their secret in clear until the next start seals them.
alter table identity.service_key
  alter column secret drop not null,
  add column sealed_secret bytea,
  add column sealing_key_id text,
  add constraint service_key_has_secret check (secret is not null or sealed_secret is not null);

-- Of each use, the key with the newest signs_from that has come signs. It is published before that, and as long as a
-- token of it may live: longest_token_seconds is the longest life that tokens of it ever had.
alter table identity.user_pool_key
  alter column private_key drop not null,
  add column sealed_key bytea,
  add column sealing_key_id text,
  add column signs_from timestamptz not null default '1970-01-01 00:00:00+00',
  add column longest_token_seconds integer not null default 86400,
  add constraint user_pool_key_has_secret check (private_key is not null or sealed_key is not null);

-- secret_box: the client's secret, encrypted with the service key; SECRET_HASH needs it in clear to be checked.
alter table identity.app_client
  add column secret_box bytea,
  add column refresh_token_rotation boolean not null default false,
  add column retry_grace_period_seconds integer not null default 0
    check (retry_grace_period_seconds between 0 and 60),
  add column token_revocation boolean not null default true;

alter table identity.pool_user
  add column status text not null default 'CONFIRMED' check (status in
    ('UNCONFIRMED', 'CONFIRMED', 'EXTERNAL_PROVIDER', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'));

alter table identity.user_group add column role_arn text;

-- A refresh token outlives its user: its holder hears that the user does not exist, not that the token is garbage.
-- rotated_at: when the token was first exchanged for its successor, where the app client rotates refresh tokens.
alter table identity.refresh_token
  drop constraint refresh_token_sub_fkey,
  add column rotated_at timestamptz;

-- A pool that hides who exists asks the same of people who do not. subject_hash: the person, or what was typed.
alter table identity.login_code
  alter column sub drop not null,
  add column subject_hash bytea;
create index login_code_subject on identity.login_code (subject_hash) where closed_at is null;
