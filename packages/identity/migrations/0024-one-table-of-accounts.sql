-- One table of accounts for every directory: the user pool, and each pool of the provider. A row is an account: by what it is
-- found in its directory, and which of that is proven. What only one protocol knows of it is a row of that protocol, with
-- the same id. No row of one directory is an account of another one, whatever names both have.
create table identity.account (
  account_id text primary key,
  directory text not null check (directory = 'user-pool' or directory like 'provider/%'),
  username text,
  email text,
  email_verified boolean not null default false,
  -- E.164: by this, numbers are the same.
  phone_number text,
  phone_number_verified boolean not null default false,
  external_id text,
  -- Of a sub account its name.
  sub_account text,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

insert into identity.account (account_id, directory, username, email, email_verified, phone_number, phone_number_verified,
  created_at, modified_at)
select sub::text, 'user-pool', username, email, email_verified, phone_number, phone_number_verified, created_at, modified_at
  from identity.pool_user;

insert into identity.account (account_id, directory, username, email, email_verified, phone_number, phone_number_verified,
  external_id, sub_account, created_at, modified_at)
select id, 'provider/' || user_pool_id, username, email, email_verified, phone_e164, phone_verified,
       external_id, sub_account, created_at, modified_at
  from identity.provider_user;

create unique index account_username on identity.account (directory, lower(username));
create unique index account_email on identity.account (directory, lower(email));
create unique index account_phone_number on identity.account (directory, phone_number);
create unique index account_external_id on identity.account (directory, external_id);
create unique index account_sub_account on identity.account (directory, lower(sub_account));

alter table identity.pool_user
  drop column username,
  drop column email,
  drop column email_verified,
  drop column phone_number,
  drop column phone_number_verified,
  drop column created_at,
  drop column modified_at,
  add column account_id text not null generated always as (sub::text) stored unique
    references identity.account on delete cascade;

alter table identity.provider_user
  drop column user_pool_id,
  drop column username,
  drop column email,
  drop column email_verified,
  drop column phone_e164,
  drop column phone_verified,
  drop column external_id,
  drop column sub_account,
  drop column created_at,
  drop column modified_at,
  add foreign key (id) references identity.account on delete cascade;
create index provider_user_national_phone on identity.provider_user (phone);

-- The accounts of the user pool with what it alone knows of them. The facts stand first, and are locked first.
create view identity.pool_account as
  select u.sub, a.username, a.email, a.email_verified, a.phone_number, a.phone_number_verified, u.name,
         u.standard_attributes, u.custom_attributes, u.enabled, u.status, a.created_at, a.modified_at
    from identity.pool_user u join identity.account a on a.account_id = u.account_id
   where a.directory = 'user-pool';
