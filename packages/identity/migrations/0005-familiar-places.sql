-- Where a person signed in before: place_hash is a keyed hash of the network address. A stranger who keeps asking for
-- codes in the person's name from elsewhere takes nothing from them there.
create table identity.familiar_place (
  sub uuid not null references identity.pool_user on delete cascade,
  place_hash bytea not null,
  used_at timestamptz not null,
  primary key (sub, place_hash)
);
create index familiar_place_used_at on identity.familiar_place (used_at);
