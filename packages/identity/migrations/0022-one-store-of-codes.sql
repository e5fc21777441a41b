-- One table of one-time codes for every protocol, in place of one for each. What was sent before can still be entered.
-- directory: whose people it is for; a code counts there alone. The user pool, or a pool of the provider.
-- subject: for whom, as the directory names them: a keyed hash of person and place, or the recipient.
create table identity.one_time_code (
  code_id text primary key,
  directory text not null check (directory = 'user-pool' or directory like 'provider/%'),
  subject text not null,
  purpose text not null,
  sub uuid references identity.pool_user on delete cascade,
  code_hash bytea not null,
  channel text not null check (channel in ('email', 'sms')),
  tries_left integer not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index one_time_code_subject on identity.one_time_code (directory, subject) where closed_at is null;
create index one_time_code_sub on identity.one_time_code (sub) where sub is not null;
create index one_time_code_expires_at on identity.one_time_code (expires_at);

insert into identity.one_time_code
  (code_id, directory, subject, purpose, sub, code_hash, channel, tries_left, sent_at, expires_at, closed_at)
select code_id::text, 'user-pool', coalesce(encode(subject_hash, 'hex'), ''), 'login', sub, code_hash, channel,
       tries_left, sent_at, expires_at, closed_at
  from identity.login_code;

insert into identity.one_time_code
  (code_id, directory, subject, purpose, code_hash, channel, tries_left, sent_at, expires_at, closed_at)
select id, 'provider/' || user_pool_id, recipient, purpose, code_hash, channel,
       tries_left, sent_at, expires_at, closed_at
  from identity.provider_code;

drop table identity.login_code;
drop table identity.provider_code;
