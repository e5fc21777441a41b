-- The provider at /idp: its people, applications and sessions are its own, beside those of the user pool.
-- A backup of an older release is loaded into this schema: every new column has a default, and none goes away.

-- Long-lived keys of the provider, sealed with the installation key. public_key: PEM, or hexadecimal for SM2.
create table identity.provider_key (
  kid text primary key,
  purpose text not null check (purpose in ('signing', 'password-rsa', 'password-sm2')),
  sealed_key bytea not null,
  sealing_key_id text not null,
  public_key text not null,
  created_at timestamptz not null
);

-- secret_box: the application's secret, sealed with the service key; some client authentications need it in clear.
create table identity.provider_application (
  app_id text primary key,
  user_pool_id text not null,
  name text not null,
  description text,
  logo text,
  secret_box bytea not null,
  redirect_uris text[] not null default '{}',
  logout_redirect_uris text[] not null default '{}',
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- profile: the fields of a person that have no column, by their names in the contract; texts only.
-- phone_e164: the number with its country, by which numbers are the same.
-- parent_user_id: of a sub account, the account it belongs to; its name is sub_account.
create table identity.provider_user (
  id text primary key,
  user_pool_id text not null,
  status text not null default 'Activated' check (status in ('Activated', 'Suspended', 'Resigned', 'Archived')),
  blocked boolean not null default false,
  username text,
  email text,
  email_verified boolean not null default false,
  phone text,
  phone_country_code text,
  phone_e164 text,
  phone_verified boolean not null default false,
  external_id text,
  password_hash text,
  password_level smallint,
  must_reset_password boolean not null default false,
  register_source text[] not null default '{}',
  profile jsonb not null default '{}',
  parent_user_id text references identity.provider_user on delete cascade,
  sub_account text,
  logins_count integer not null default 0,
  last_login_at timestamptz,
  last_address text,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index provider_user_username on identity.provider_user (user_pool_id, lower(username));
create unique index provider_user_email on identity.provider_user (user_pool_id, lower(email));
create unique index provider_user_phone on identity.provider_user (user_pool_id, phone_e164);
create unique index provider_user_external_id on identity.provider_user (user_pool_id, external_id);
create unique index provider_user_sub_account on identity.provider_user (user_pool_id, lower(sub_account));
create index provider_user_parent on identity.provider_user (parent_user_id);

-- Accounts elsewhere that belong to a person.
create table identity.provider_identity (
  id text primary key,
  user_id text not null references identity.provider_user on delete cascade,
  user_pool_id text not null,
  ext_idp_id text not null,
  connection_id text not null,
  provider text not null,
  type text not null,
  is_social boolean not null,
  openid text not null,
  user_id_in_idp text not null,
  profile jsonb not null default '{}',
  created_at timestamptz not null
);
create unique index provider_identity_subject on identity.provider_identity (user_pool_id, connection_id, user_id_in_idp);
create index provider_identity_user on identity.provider_identity (user_id);

-- What people or programs keep about a user, role and so on: value is JSON text.
create table identity.provider_custom_value (
  target_type text not null,
  target_id text not null,
  key text not null,
  data_type text not null check (data_type in ('STRING', 'NUMBER', 'DATETIME', 'BOOLEAN', 'OBJECT', 'SELECT')),
  label text,
  value text not null,
  modified_at timestamptz not null,
  primary key (target_type, target_id, key)
);

-- A sign-in that goes on: its tokens are good as long as it is. expires_at does not move.
create table identity.provider_session (
  id text primary key,
  user_id text not null references identity.provider_user on delete cascade,
  app_id text not null,
  method text not null,
  address text,
  user_agent text,
  device_id text,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index provider_session_user on identity.provider_session (user_id) where revoked_at is null;
create index provider_session_expires_at on identity.provider_session (expires_at);

create table identity.provider_code (
  id text primary key,
  user_pool_id text not null,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  purpose text not null,
  code_hash bytea not null,
  tries_left integer not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index provider_code_recipient on identity.provider_code (user_pool_id, recipient) where closed_at is null;
create index provider_code_expires_at on identity.provider_code (expires_at);

-- Random texts that stand for one thing for a while: second steps, password resets, proofs of an address, tickets.
create table identity.provider_ticket (
  ticket_hash bytea primary key,
  purpose text not null,
  user_id text references identity.provider_user on delete cascade,
  data jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index provider_ticket_user on identity.provider_ticket (user_id);
create index provider_ticket_expires_at on identity.provider_ticket (expires_at);

create table identity.provider_organisation (
  id text primary key,
  user_pool_id text not null,
  name text not null,
  created_at timestamptz not null
);

create table identity.provider_department (
  id text primary key,
  org_id text not null references identity.provider_organisation on delete cascade,
  parent_id text references identity.provider_department on delete cascade,
  code text,
  name text not null,
  description text,
  position integer not null default 0,
  is_virtual boolean not null default false,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index provider_department_code on identity.provider_department (org_id, code);
create unique index provider_department_root on identity.provider_department (org_id) where parent_id is null;
create index provider_department_parent on identity.provider_department (parent_id);

create table identity.provider_department_member (
  department_id text not null references identity.provider_department on delete cascade,
  user_id text not null references identity.provider_user on delete cascade,
  is_main boolean not null default false,
  joined_at timestamptz not null,
  primary key (department_id, user_id)
);
create index provider_department_member_user on identity.provider_department_member (user_id);

create table identity.provider_role (
  id text primary key,
  user_pool_id text not null,
  namespace text not null default 'default',
  code text not null,
  description text,
  parent_id text references identity.provider_role on delete set null,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create unique index provider_role_code on identity.provider_role (user_pool_id, namespace, code);
create index provider_role_parent on identity.provider_role (parent_id);

create table identity.provider_role_member (
  role_id text not null references identity.provider_role on delete cascade,
  user_id text not null references identity.provider_user on delete cascade,
  created_at timestamptz not null,
  primary key (role_id, user_id)
);
create index provider_role_member_user on identity.provider_role_member (user_id);

create table identity.provider_resource (
  id text primary key,
  user_pool_id text not null,
  namespace text not null,
  code text not null,
  type text not null check (type in ('DATA', 'API', 'MENU', 'UI', 'BUTTON')),
  actions text[] not null default '{}',
  api_identifier text,
  created_at timestamptz not null
);
create unique index provider_resource_code on identity.provider_resource (user_pool_id, namespace, code);

-- What a principal may do with a resource; a DENY beats every ALLOW. principal_id: of a user, role or department.
create table identity.provider_grant (
  resource_id text not null references identity.provider_resource on delete cascade,
  principal_type text not null check (principal_type in ('USER', 'ROLE', 'ORG')),
  principal_id text not null,
  effect text not null check (effect in ('ALLOW', 'DENY')),
  actions text[] not null,
  created_at timestamptz not null,
  primary key (resource_id, principal_type, principal_id, effect)
);
create index provider_grant_principal on identity.provider_grant (principal_type, principal_id);
