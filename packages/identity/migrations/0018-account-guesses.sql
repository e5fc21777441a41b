-- Wrong codes and passwords of one account since its last complete sign-in (NIST SP 800-63B, rate limiting). Users of the
-- pool and of the provider alike: their ids are random, and never the same.
create table identity.account_guess (
  subject text primary key,
  wrong int not null check (wrong >= 0),
  -- Of those since the account was locked: the last one was not looked at when this is not 0.
  refused int not null default 0,
  last_at timestamptz not null,
  locked_at timestamptz
);
