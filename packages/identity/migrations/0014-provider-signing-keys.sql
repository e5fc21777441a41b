-- Signing keys rotate: several at a time, of which the newest whose time has come signs. longest_token_seconds: how long
-- something that it signed may be shown to us. SAML has a key of its own, because service providers keep its certificate.
-- A backup of an older release is loaded into this schema: every new column has a default.
alter table identity.provider_key
  add column signs_from timestamptz not null default '1970-01-01 00:00:00+00',
  add column longest_token_seconds integer not null default 0;
update identity.provider_key set signs_from = created_at;
alter table identity.provider_key drop constraint provider_key_purpose_check;
alter table identity.provider_key add constraint provider_key_purpose_check
  check (purpose in ('signing', 'saml', 'password-rsa', 'password-sm2'));
