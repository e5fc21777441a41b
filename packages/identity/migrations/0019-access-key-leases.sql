-- What an access key ends with: a lease that somebody else keeps, and its end.
alter table identity.provider_access_key
  add column lease text,
  add column expires_at timestamptz;
create index provider_access_key_by_lease on identity.provider_access_key (lease) where lease is not null;
