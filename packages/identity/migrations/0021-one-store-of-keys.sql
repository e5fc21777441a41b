-- One table of key pairs for every protocol, in place of one for each. Names, seals and times stay: what was signed before
-- stays good. The public half is made from the sealed one when it is opened, so that a changed row verifies nothing.
-- clear_key: as releases kept it that sealed nothing, until the next start seals it.
create table identity.key_pair (
  kid text primary key,
  -- id, access: tokens of the user pool; provider-token: everything that the provider's issuer signs; saml: assertions;
  -- password-*: open passwords that clients encrypted.
  use text not null check (use in ('id', 'access', 'provider-token', 'saml', 'password-rsa', 'password-sm2')),
  sealed_key bytea,
  sealing_key_id text,
  clear_key text,
  signs_from timestamptz not null,
  longest_token_seconds integer not null,
  created_at timestamptz not null,
  constraint key_pair_has_secret check (clear_key is not null or sealed_key is not null)
);
create index key_pair_use on identity.key_pair (use, signs_from);

insert into identity.key_pair
  (kid, use, sealed_key, sealing_key_id, clear_key, signs_from, longest_token_seconds, created_at)
select kid, token_use, sealed_key, sealing_key_id, private_key, signs_from, longest_token_seconds, created_at
  from identity.user_pool_key;

insert into identity.key_pair (kid, use, sealed_key, sealing_key_id, signs_from, longest_token_seconds, created_at)
select kid, case purpose when 'signing' then 'provider-token' else purpose end, sealed_key, sealing_key_id,
       signs_from, longest_token_seconds, created_at
  from identity.provider_key;

alter table identity.provider_saml_certificate
  drop constraint provider_saml_certificate_kid_fkey,
  add foreign key (kid) references identity.key_pair on delete cascade;

drop table identity.user_pool_key;
drop table identity.provider_key;
