-- Sign-ins at other providers that go on. sealed: what has to be known again when the browser comes back (nonce, PKCE
-- verifier, where the end is told); browser_hash: of the text that only the browser has in which it began.
create table identity.provider_interaction (
  state_hash bytea primary key,
  sealed bytea not null,
  browser_hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index provider_interaction_expires_at on identity.provider_interaction (expires_at);
