-- The provider's QR codes, second factors, devices, real names, events and uploaded pictures.
-- A backup of an older release is loaded into this schema: every new column has a default, and none goes away.

-- A code that a phone scans. Whoever asked for it polls with one secret, the picture has another, and the ticket is a
-- third: only their hashes are here. result_box: what a state of refusal or second step tells the one who polls.
create table identity.provider_qr_code (
  id text primary key,
  random_hash bytea not null unique,
  scan_hash bytea not null unique,
  ticket_hash bytea not null unique,
  app_id text not null,
  scene text not null check (scene in ('APP_AUTH', 'WXAPP_AUTH', 'WECHATMP_AUTH')),
  status smallint not null default 0 check (status between 0 and 5),
  address text,
  user_agent text,
  with_custom_data boolean not null default false,
  user_id text references identity.provider_user on delete cascade,
  result_box bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  exchanged_at timestamptz
);
create index provider_qr_code_expires_at on identity.provider_qr_code (expires_at);
create index provider_qr_code_user on identity.provider_qr_code (user_id);

-- An authenticator app. enabled: it was confirmed by a first number. last_step: the last one that counted, which
-- neither it nor an earlier one does again. recovery_hash: null once the recovery code was used.
create table identity.provider_totp (
  id text primary key,
  user_id text not null references identity.provider_user on delete cascade,
  enabled boolean not null default false,
  secret_box bytea not null,
  recovery_hash bytea,
  last_step bigint,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index provider_totp_user on identity.provider_totp (user_id, enabled);

-- What tells one face from another, sealed; no picture is kept.
create table identity.provider_face (
  user_id text primary key references identity.provider_user on delete cascade,
  descriptor_box bytea not null,
  created_at timestamptz not null
);

-- What a browser or telephone says of itself; unique_id: its own name for itself.
create table identity.provider_device (
  id text primary key,
  user_id text not null references identity.provider_user on delete cascade,
  unique_id text not null,
  record jsonb not null,
  last_address text,
  last_login_at timestamptz not null,
  created_at timestamptz not null,
  unique (user_id, unique_id)
);
create index provider_session_device on identity.provider_session (device_id) where device_id is not null;

-- Who somebody is by name. code_hash: one card or register number belongs to one account. proof_box: what was shown.
create table identity.provider_principal (
  user_id text primary key references identity.provider_user on delete cascade,
  id text not null unique,
  user_pool_id text not null,
  type text not null check (type in ('P', 'E')),
  name text not null,
  masked_code text not null,
  code_hash bytea not null unique,
  proof_box bytea not null,
  created_at timestamptz not null
);

-- Events on their way from one device of a person to the others; all servers hear of them.
create table identity.provider_event (
  id bigint generated always as identity primary key,
  user_id text not null references identity.provider_user on delete cascade,
  name text not null,
  source text,
  data text not null,
  created_at timestamptz not null
);
create index provider_event_created_at on identity.provider_event (created_at);
create index provider_event_user on identity.provider_event (user_id);

-- Uploaded pictures, in parts. expires_at: when it goes; null once somebody wears it.
create table identity.provider_upload (
  id text primary key,
  folder text not null check (folder in ('avatar', 'face-photo')),
  content_type text not null,
  size_bytes integer not null default 0,
  complete boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index provider_upload_expires_at on identity.provider_upload (expires_at);

-- Parts of private pictures are sealed.
create table identity.provider_upload_part (
  upload_id text not null references identity.provider_upload on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (upload_id, position)
);

create index provider_user_photo on identity.provider_user ((profile ->> 'photo')) where profile ? 'photo';
